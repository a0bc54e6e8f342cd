"""Which terms of the chosen APIs are searched for beside the words of the question."""

from __future__ import annotations

from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.score.expansion import Added, expand
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.understand.question import Question


def expand_query(
    question: Question, evidence: Evidence, choice: Choice | None
) -> tuple[Added, ...]:
    """The stage: terms that the chosen APIs, or else those that fit best, pair with its words.

    None where the reader cannot say which chunks hold a word.
    """
    reader = question.asked.reader.arrays
    if reader is None:
        return ()
    chosen = choice or evidence.apis(question.settings.api_selection_max)
    at = {file.source_file: number for number, file in enumerate(reader.files)}
    files = [at[file_id] for file_id in chosen.file_ids if file_id in at]
    return expand(question.terms[0], files, reader, derived(WordsUsed, reader))
