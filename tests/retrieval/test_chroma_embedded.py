"""Chroma stays a library: no server, no address, no socket, no download."""

import ast
import re
from pathlib import Path

from service.retrieval.port import IndexState

SERVICE = Path(__file__).resolve().parents[2] / "service"
# Anything of Chroma that speaks HTTP, in this process or to another one.
SPOKEN = {"HttpClient", "AsyncHttpClient", "CloudClient", "app", "server"}


def imports_of_chroma() -> list[tuple[str, str]]:
    found = []
    for path in sorted(SERVICE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            found += [(path.name, name) for name in names if name.split(".")[0] == "chromadb"]
    return found


def test_only_one_file_imports_chroma_and_nothing_that_serves():
    found = imports_of_chroma()
    assert {name for name, _ in found} == {"vectors.py"}
    assert all(not SPOKEN & set(imported.split(".")) for _, imported in found)


def test_the_embedded_client_is_the_only_one_made():
    text = (SERVICE / "retrieval" / "vectors.py").read_text(encoding="utf-8")
    assert re.findall(r"chromadb\.([A-Z]\w+)\(", text) == ["PersistentClient"]


def listening_sockets() -> set[str]:
    listening = {
        fields[9]
        for table in ("tcp", "tcp6")
        for fields in map(str.split, Path(f"/proc/self/net/{table}").read_text().splitlines()[1:])
        if fields[3] == "0A"
    }
    ours = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]", str(link.readlink()))
        except OSError:  # the descriptor that lists this folder is gone by now
            continue
        ours |= {match[1]} if match else set()
    return listening & ours


def test_an_open_index_listens_on_nothing(request):
    before = listening_sockets()
    fused = request.getfixturevalue("fused")
    assert fused.state() is IndexState.READY
    assert fused.find("stuck").passages
    assert listening_sockets() == before


def test_the_index_holds_no_text_of_the_facts(fused, tmp_path):
    assert fused.state() is IndexState.READY
    files = [path for path in (tmp_path / "index" / "d1").rglob("*") if path.is_file()]
    assert len(files) > 1
    assert all(b"took different paths" not in path.read_bytes() for path in files)
