from service.web.routes.answering import event, partial


def test_each_line_of_an_event_is_a_line_of_data():
    assert event("<p>a\nb</p>") == "data: <p>a\ndata: b</p>\n\n"


def test_no_line_end_in_a_text_can_end_the_event():
    for end in ("\n\n", "\r\n\r\n", "\r\r", "\r\n\n"):
        message = event(f"a{end}event: done")
        assert message.count("\n\n") == 1
        assert all(line.startswith("data: ") for line in message.rstrip("\n").split("\n"))


def test_a_piece_says_where_it_goes():
    assert partial("#turns", "beforeend", "<li>") == (
        '<hx-partial hx-target="#turns" hx-swap="beforeend"><li></hx-partial>'
    )
