"""Lines in reading order become a résumé; every value keeps its place."""

from hypothesis import given
from hypothesis import strategies as st

from service.documents.text import text_lines
from service.domain.resume import Resume
from service.domain.resume_reading.json_resume import from_json_resume
from service.domain.resume_reading.lines import Line
from service.domain.resume_reading.read import read_resume_lines
from tests.domain.shipped import resume_words, skills


def read(text: str, *, markdown: bool = False) -> Resume:
    lines, notices = text_lines(text, markdown=markdown)
    return read_resume_lines(lines, resume_words(), skills(), notices)


CHINESE = """姓名：沈知远    电话：139-5500-0101
邮箱：zhiyuan@example.com
现居：杭州
教育背景
2016.09-2019.03  浙江大学  计算机科学与技术  硕士
工作经历
云梯智算科技有限公司  训练框架工程师  2021年4月 - 至今
1. 实现三维并行，MFU 从 38% 提升到 47%
2. 把检查点保存改为异步
海棠数据  深度学习工程师  2019.04 - 2021.03
- 用 PyTorch DDP 扩展训练
项目经历
轻量流水线并行库（作者） 2022/05-2022/12
* 实现 1F1B 调度
专业技能
熟练掌握 Python、C++；熟悉 Megatron-LM、NCCL
"""


def test_a_chinese_text_is_read_whole():
    resume = read(CHINESE)
    assert (resume.name, resume.email, resume.phone, resume.city) == (
        "沈知远",
        "zhiyuan@example.com",
        "139-5500-0101",
        "杭州",
    )
    school = resume.education[0]
    assert (school.school, school.degree, school.major) == ("浙江大学", "硕士", "计算机科学与技术")
    assert (school.start, school.end) == ("2016-09", "2019-03")
    assert [(w.employer, w.title, w.start, w.end) for w in resume.work] == [
        ("云梯智算科技有限公司", "训练框架工程师", "2021-04", "present"),
        ("海棠数据", "深度学习工程师", "2019-04", "2021-03"),
    ]
    assert [len(w.bullets) for w in resume.work] == [2, 1]
    project = resume.projects[0]
    assert (project.name, project.role) == ("轻量流水线并行库", "作者")
    assert resume.skills == ("Python", "C++", "Megatron-LM", "NCCL")


ENGLISH = """# Nils Larsson
nils@example.org | +46 70 000 01 22 | Stockholm, Sweden | https://nils.example.org

## Experience
### Staff Engineer @ Norrsken AI
*Jan 2022 – Present*
- Designed a scheduler
  for a Slurm cluster
- Introduced FP8 training

**Tallinn Systems** | Software Engineer | 08/2019 - 12/2021
- Ported a model to TPU

## Open Source
- tinypipe: GPipe in 600 lines
- ckpt-tool: converts checkpoints

## Education
PhD in Electrical Engineering, KTH Royal Institute of Technology, 2014 - 2019
"""


def test_an_english_markdown_text_is_read_whole():
    resume = read(ENGLISH, markdown=True)
    assert (resume.name, resume.phone) == ("Nils Larsson", "+46 70 000 01 22")
    assert resume.urls == ("https://nils.example.org",)
    assert [(w.employer, w.title) for w in resume.work] == [
        ("Norrsken AI", "Staff Engineer"),
        ("Tallinn Systems", "Software Engineer"),
    ]
    assert [p.name for p in resume.projects] == ["tinypipe", "ckpt-tool"]
    school = resume.education[0]
    assert (school.degree, school.major) == ("PhD", "Electrical Engineering")
    assert (school.start, school.end) == ("2014", "2019")


def test_every_bullet_stands_in_the_text():
    for resume in (read(CHINESE), read(ENGLISH, markdown=True)):
        assert resume.bullets()
        for bullet in resume.bullets():
            assert bullet.span.of(resume.text) == bullet.text


def test_bullet_ids_are_unique_and_in_order():
    ids = [b.id for b in read(CHINESE).bullets()]
    assert ids == [f"b{i}" for i in range(1, len(ids) + 1)]


def test_what_is_not_there_is_asked_for_and_not_invented():
    resume = read("工作经历\n示例科技 工程师 2020.01-2021.01\n- 做了一件事")
    assert (resume.name, resume.email, resume.phone) == (None, None, None)
    assert resume.missing == ("name", "email", "phone")


def test_a_year_or_a_doi_is_no_phone():
    resume = read("Jane Roe\n2019 - 2021\ndoi 10.1234/567890.12345\njane@example.com")
    assert resume.phone is None


def test_an_address_hidden_behind_a_broken_text_comes_from_its_link():
    lines = [
        Line("Ann Bell", size=20, page=1),
        Line("a n n @ e x a m p l e", page=1, links=("mailto:ann@example.com",)),
    ]
    resume = read_resume_lines(lines, resume_words(), skills())
    assert (resume.name, resume.email) == ("Ann Bell", "ann@example.com")


def test_letter_spaced_headings_and_names_are_understood():
    resume = read("张 三\n工 作 经 历\n示例科技 工程师 2020.01 - 2021.01\n- 写代码")
    assert resume.name == "张三"
    assert resume.work[0].employer == "示例科技"


def test_values_keep_the_place_they_were_read_from():
    line = Line("Ann Bell", size=20, page=1, box=(10, 700, 90, 720))
    resume = read_resume_lines([line, Line("ann@example.com", page=1)], resume_words(), skills())
    place = next(p for p in resume.places if p.field == "name")
    assert (place.page, place.box, place.quote) == (1, (10, 700, 90, 720), "Ann Bell")


def test_the_papers_own_lines_are_left_out():
    text = read("Resume\nAnn Bell\nLast updated in March 2026\nPage 1 of 2").text
    assert text == "Ann Bell"


def test_json_resume_is_read_field_by_field():
    resume = from_json_resume(
        {
            "basics": {
                "name": "Ann Bell",
                "email": "ann@example.com",
                "location": {"city": "Oslo"},
            },
            "work": [
                {
                    "name": "Kelp Labs",
                    "position": "Engineer",
                    "startDate": "2020-01-15",
                    "highlights": ["Sharded a model"],
                }
            ],
            "education": [
                {"institution": "UiO", "studyType": "Master", "area": "CS", "endDate": "2019"}
            ],
            "skills": [{"name": "Training", "keywords": ["PyTorch", "NCCL"]}],
        }
    )
    assert resume is not None
    assert (resume.name, resume.city) == ("Ann Bell", "Oslo")
    work = resume.work[0]
    assert (work.start, work.end, work.bullets[0].text) == ("2020-01", "present", "Sharded a model")
    assert work.bullets[0].span.of(resume.text) == "Sharded a model"
    assert resume.skills == ("PyTorch", "NCCL")


def test_json_of_another_kind_is_no_resume():
    assert from_json_resume({"cards": []}) is None
    assert from_json_resume([1, 2]) is None


@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_lines_give_a_resume_whose_spans_hold(texts: list[str]):
    resume = read("\n".join(texts))
    for bullet in (*resume.bullets(), *resume.skill_lines, *resume.notes):
        assert bullet.span.of(resume.text) == bullet.text


def read_markdown(text: str) -> Resume:
    lines, _ = text_lines(text, markdown=True)
    return read_resume_lines(lines, resume_words(), skills())


def test_a_major_that_would_lose_its_name_keeps_its_last_word():
    text = "# 王一\n## 教育经历\n某某大学 | {} | 本科 | 2019.09 - 2023.06\n"
    assert read_markdown(text.format("某某专业")).education[0].major == "某某专业"
    assert read_markdown(text.format("数学专业")).education[0].major == "数学"


def test_the_head_of_a_group_of_skills_is_no_skill():
    text = "# 王一\n## 专业技能\n操作系统\nLinux, Windows\nDocker\nPyTorch, NCCL\n"
    assert read_markdown(text).skills == ("Linux", "Windows", "Docker", "PyTorch", "NCCL")


def test_a_single_date_of_a_project_is_its_start_and_no_end_is_made_up():
    text = "# Ann Bell\n## Projects\n### toy-zero | Jan 2021\n- Sharded the optimizer states\n"
    project = read_markdown(text).projects[0]
    assert (project.start, project.end) == ("2021-01", None)


def test_notes_under_publications_are_marked_as_papers():
    text = "# Ann Bell\n## Awards\n- A prize\n## Publications\n- Sharding states. MLSys, 2024\n"
    read = read_markdown(text)
    assert [n.text for n in read.notes if n.id in read.papers] == ["Sharding states. MLSys, 2024"]


def test_a_name_and_a_title_on_one_line_are_told_apart():
    assert read("Zhang San backend engineer").name == "Zhang San"
    assert read("张三 后端工程师\n邮箱：a@example.com").name == "张三"
    assert read("Weekly notes\nWrote the report").name is None


def test_a_line_under_a_projects_name_tells_of_it():
    (project,) = read(
        "# Ann Bell\n## Projects\n### Tiny Ring | 2022.03 - 2023.01\nA ring in pictures\n"
        "- Wrote it",
        markdown=True,
    ).projects
    assert (project.name, project.role) == ("Tiny Ring", None)
    assert [d.text for d in project.description] == ["A ring in pictures"]
    assert [b.text for b in project.bullets] == ["Wrote it"]


def column(*texts: str, width: float = 120.0) -> list[Line]:
    """Lines of a narrow column, set 6 points a character."""
    return [
        Line(
            text,
            size=10.0,
            page=1,
            column=1,
            box=(10.0, 0.0, min(width, 10.0 + 6 * len(text)), 10.0),
        )
        for text in texts
    ]


def test_contacts_that_a_narrow_column_broke_are_put_together():
    side = column(
        "Adaeze Okafor", "adaeze.okafor@", "mail.example.com", "+44 20 7946", "0958",
        "github.com/adaeze-", "example", "linkedin.com/in/ada", "eze-example", "Leeds",
    )  # fmt: skip
    resume = read_resume_lines(side, resume_words(), skills())
    assert (resume.name, resume.email) == ("Adaeze Okafor", "adaeze.okafor@mail.example.com")
    assert resume.phone == "+44 20 7946 0958"
    assert resume.urls == ("github.com/adaeze-example", "linkedin.com/in/adaeze-example")


def test_what_is_whole_takes_nothing_from_the_next_line():
    side = column(
        "Ann Bell", "ann@example.com", "leeds", "+44 20 7946 0958", "2019 - 2021",
        "github.com/ann", "Python", "example.com",
    )  # fmt: skip
    resume = read_resume_lines(side, resume_words(), skills())
    assert (resume.email, resume.phone) == ("ann@example.com", "+44 20 7946 0958")
    assert resume.urls == ("github.com/ann", "example.com")


def test_phones_of_several_countries_are_read_whole():
    for written in ("+33 6 12 34 56 78", "+44 (0)20 7946 0958", "(312) 555-0143", "139-5500-0101"):
        assert read(f"Ann Bell\nann@example.com | {written} | Leeds").phone == written


def test_contacts_that_columns_carried_below_a_heading_are_still_the_persons():
    resume = read(
        "Katarzyna Wojciechowska\nTechnical Skills\nk.w@example.com +48 (0)601 234 567\n"
        "https://example.com/in/kw\nPython, CUDA\nExperience\nAcme | Engineer | 2021.03 - 2023.01\n"
        "- Served 1234567890 requests, see github.com/acme/serving\n"
    )
    assert (resume.email, resume.phone) == ("k.w@example.com", "+48 (0)601 234 567")
    assert resume.urls == ("https://example.com/in/kw",)
