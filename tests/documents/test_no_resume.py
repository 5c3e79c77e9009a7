"""Text that tells of nobody is not called a résumé."""

import pytest

from service.documents.reader import ResumeReader
from service.domain.resume import Quality
from service.errors import FileUnreadable

NOT_A_RESUME = {
    "accounts": "root:x:0:0:root:/root:/bin/bash\npg:x:1:1:PostgreSQL admin:/var:/bin/sh",
    "hosts": "127.0.0.1 localhost\n::1 ip6-localhost",
    "poem": "The wind went over the hill and the grass lay down before it all night long.",
    "diary": "今天下午下了一场很大的雨，我们在河边等了很久才回家。",
}


@pytest.mark.parametrize("kind", NOT_A_RESUME)
async def test_text_without_a_person_is_refused_with_a_reason(reader: ResumeReader, kind: str):
    with pytest.raises(FileUnreadable) as refusal:
        await reader.read(NOT_A_RESUME[kind].encode(), "file.txt")
    assert refusal.value.quality == Quality.UNSUPPORTED
    assert str(refusal.value).startswith("No résumé was recognised")


@pytest.mark.parametrize(
    "text",
    [
        "For two years I trained 7B models with Megatron-LM and tuned NCCL.",
        "我用 DeepSpeed 在多台机器上训练过大模型，也写过一些 CUDA 算子。",
        "Ann Bell\nann@example.com",
    ],
)
async def test_a_few_sentences_about_the_trade_or_a_contact_are_enough(
    reader: ResumeReader, text: str
):
    assert (await reader.read_text(text)).quality is Quality.OK
