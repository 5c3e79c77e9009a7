"""A résumé's exports on the page and over REST."""

import io

import pypdf
import pytest
from fastapi.testclient import TestClient

from tests.documents.making import pdf, show

RESUME = """# Li Example
Email: li.example@example.com

## Work
### Example Tech | Training engineer | 2021.07 - present
- Trained a 13B model with DeepSpeed ZeRO-3 <b>on</b> 64 A100.

## Skills
Python, PyTorch, DeepSpeed
"""


@pytest.fixture
def resume_id(pages: TestClient) -> str:
    made = pages.post("/v1/resumes", files={"file": ("li.md", RESUME.encode())})
    assert made.status_code == 201
    return str(made.json()["id"])


def test_the_page_shows_each_form_with_its_certificate(pages: TestClient, resume_id: str):
    shown = pages.get(f"/resumes/{resume_id}/export")
    assert shown.status_code == 200
    assert shown.text.count("values came back unchanged") == 4
    assert "pypdf" in shown.text
    assert "docx2txt" in shown.text
    assert f"/resumes/{resume_id}/export" in pages.get(f"/resumes/{resume_id}").text


def test_a_file_comes_as_a_download_that_runs_nothing(pages: TestClient, resume_id: str):
    for path in (f"/resumes/{resume_id}/export/file", f"/v1/resumes/{resume_id}/export"):
        made = pages.get(path, params={"form": "pdf"})
        assert made.headers["content-type"] == "application/pdf"
        assert made.headers["content-disposition"] == 'attachment; filename="resume.pdf"'
        assert made.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in made.headers["content-security-policy"]
        assert "Li Example" in pypdf.PdfReader(io.BytesIO(made.content)).pages[0].extract_text()


def test_the_certificate_names_every_field(pages: TestClient, resume_id: str):
    proof = pages.get(f"/v1/resumes/{resume_id}/export/certificate?form=docx").json()
    assert proof["kept"] == proof["total"] == len(proof["checks"])
    assert {"name", "email", "work[0].employer", "skills[0]"} <= {
        c["field"] for c in proof["checks"]
    }
    assert proof["second_reader"].startswith("docx2txt")


def test_an_unknown_form_is_refused(pages: TestClient, resume_id: str):
    assert pages.get(f"/v1/resumes/{resume_id}/export?form=exe").status_code == 422


def test_what_applicant_systems_read_is_told_on_the_page_and_over_rest(pages: TestClient):
    text = show("Ann Bell", 40, 780, size=22) + show("ann@example.com", 40, 740)
    hidden = show("hire <b>me</b>", 40, 300, before="3 Tr")
    made = pages.post("/v1/resumes", files={"file": ("a.pdf", pdf([text + hidden]))})
    resume_id = made.json()["id"]
    found = pages.get(f"/v1/resumes/{resume_id}/ats").json()
    assert [(o["kind"], o["harm"], o["page"]) for o in found] == [("hidden_text", "lost", 1)]
    shown = pages.get(f"/resumes/{resume_id}/ats").text
    assert "Text that nobody can see." in shown
    assert "hire &lt;b&gt;me&lt;/b&gt;" in shown
    chinese = pages.get(f"/v1/resumes/{resume_id}/ats", headers={"Accept-Language": "zh"}).json()
    assert "看得见" in chinese[0]["what"]


def test_repairs_are_decided_and_what_is_missing_is_said_on_the_page(pages: TestClient):
    text = "# Li Lei\nEmail: li@Example.COM\n\n## Skills\nCUDA, NCCL\n"
    made = pages.post("/v1/resumes", files={"file": ("li.md", text.encode())}).json()["id"]
    asked = pages.get(f"/v1/resumes/{made}/repairs").json()
    assert [(r["before"], r["after"]) for r in asked["repairs"]] == [
        ("li@Example.COM", "li@example.com")
    ]
    assert asked["missing"] == ["phone"]
    assert "li@example.com" in pages.get(f"/resumes/{made}").text
    pages.post(f"/resumes/{made}/repairs", data={"field": "email", "decision": "accept"})
    pages.post(f"/resumes/{made}/missing", data={"field": "phone", "value": "139 5500 0101"})
    left = pages.get(f"/v1/resumes/{made}/repairs").json()
    assert left == {"repairs": [], "missing": []}
    kept = pages.get(f"/v1/resumes/{made}").json()
    assert (kept["email"], kept["phone"]) == ("li@example.com", "139 5500 0101")
    again = pages.post(f"/v1/resumes/{made}/repairs", json={"field": "email", "accept": True})
    assert again.status_code == 404
