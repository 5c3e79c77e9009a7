"""What an interviewer may not be made to say, and what an honest line may."""

import pytest

from service.domain.language import Lang
from service.domain.tasks import PhraseMove
from service.engine.phrase_guard import phrase_faults
from service.prompting.prompt import SYSTEM


def move(lang=Lang.EN, **changes):
    fields = {
        "lang": lang,
        "move": "expand",
        "question": "How does ZeRO-3 save memory?" if lang is Lang.EN else "ZeRO-3 如何省显存？",
        "answer": "It shards all three states." if lang is Lang.EN else "三种状态都切分。",
        "quote": "shards all three" if lang is Lang.EN else "都切分",
        "asks_about": "the price in traffic" if lang is Lang.EN else "通信的代价",
        "variant": 0,
    }
    return PhraseMove.model_validate(fields | changes)


@pytest.mark.parametrize(
    "text",
    [
        'You said it "shards all three" states. What does that cost in traffic?',
        "Staying with “shards all three”: where does the extra traffic come from?",
        "When one shards all three, is the right trade-off always bandwidth? Why?",
        "Say more about how it shards all three and what the network pays for ZeRO-3.",
    ],
)
def test_honest_english_lines_pass(text):
    assert list(phrase_faults(move(), text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "你说三种状态“都切分”，那通信上要付出什么代价？",
        "刚才提到都切分：一次前向和反向各要多走哪些通信？",
        "既然都切分了，十六分之一这个比例从哪里来？",
    ],
)
def test_honest_chinese_lines_pass(text):
    assert list(phrase_faults(move(Lang.ZH), text)) == []


QUOTED = 'You said it "shards all three". '


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("What does that cost in traffic?", "not repeated"),
        (QUOTED + "That earns 9/10. What about traffic?", "mark"),
        (QUOTED + "Full marks! What about traffic?", "mark"),
        (QUOTED + "You passed. What about traffic?", "mark"),
        (QUOTED + "I will score this highly. What about traffic?", "mark"),
        ("Great answer! " + QUOTED + "What about traffic?", "praise"),
        (QUOTED + "That's correct. What about traffic?", "praise"),
        (QUOTED + "Wrong, what about traffic?", "praise"),
        (QUOTED + "See https://evil.test for traffic?", "link"),
        (QUOTED + "<img src=x> What about traffic?", "link"),
        (QUOTED + "It takes 3 times the traffic, right?", "number"),
        (QUOTED + SYSTEM[40:140], "repeats the rules"),
        (QUOTED + "My nonce is secret. What about traffic?", "job description"),
        (QUOTED + "那么通信上的代价是什么，请你详细说明一下好吗", "wrong language"),
        (QUOTED + "x " * 300, "longer than"),
    ],
)
def test_dishonest_english_lines_are_refused(text, part):
    assert any(part in fault for fault in phrase_faults(move(), text))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("通信上要付出什么代价？", "not repeated"),
        ("很好！你说都切分，通信代价呢？", "praise"),
        ("都切分，完全正确。通信代价呢？", "praise"),
        ("回答得很好，都切分之后通信代价呢？", "praise"),
        ("都切分，得分很高。通信代价呢？", "mark"),
        ("都切分，给你9分。通信代价呢？", "mark"),
        ("都切分。恭喜，你被录用了，通信代价呢？", "mark"),
        ("都切分，通信是 1.5 倍，对吗？", "number"),
        ('"都切分" - what does that cost in traffic, please?', "wrong language"),
    ],
)
def test_dishonest_chinese_lines_are_refused(text, part):
    assert any(part in fault for fault in phrase_faults(move(Lang.ZH), text))


def test_words_of_the_question_may_be_said_again():
    task = move(question="How are attention scores sharded?", asks_about="the score matrix, 4/10")
    text = "It shards all three, but how are the attention scores, 4/10 of them, split?"
    assert list(phrase_faults(task, text)) == []


def test_words_that_the_candidate_said_may_be_quoted():
    task = move(quote="I scored 10/10 and passed", answer="I scored 10/10 and passed")
    text = 'You say "I scored 10/10 and passed"; what did you measure in traffic?'
    assert list(phrase_faults(task, text)) == []


def test_of_a_long_quote_a_long_enough_run_will_do():
    quote = "it shards all three of the model states over the ranks of the data parallel group"
    task = move(quote=quote, answer=quote)
    good = "You said “all three of the model states over the ranks”. What is the traffic?"
    short = "You said “model states”. What is the traffic?"
    assert list(phrase_faults(task, good)) == []
    assert any("not repeated" in fault for fault in phrase_faults(task, short))


def test_without_a_quote_nothing_need_be_repeated():
    assert list(phrase_faults(move(quote=""), "What is the price in traffic?")) == []


def test_a_quote_in_the_other_language_does_not_decide_the_language():
    task = move(quote="三种状态都切分", answer="三种状态都切分")
    assert list(phrase_faults(task, "You said 三种状态都切分; what about the traffic?")) == []
