"""Make a static model: token vectors whose mean imitates a sentence transformer on API texts.

    python -m tools.static_model SPECS… --out FOLDER [--teacher FOLDER] [--epochs N]

SPECS are folders of API descriptions, which must not be those that the model is measured on. The
teacher is a folder with `model.onnx` and `tokenizer.json` of a BERT-like encoder; without one, it
is the `minilm` that ships. Vocabulary and tokenizer are those of the static model that ships. The
same texts and teacher give the same bytes. It prints the mean cosine to the teacher on texts that
were held out, before and after.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer

from core import Workbench
from core.index.embed.embedder import Embedder
from core.index.embed.minilm import MODEL as MINILM
from core.index.embed.minilm import MiniLmEmbedder
from core.index.embed.normal import normalise, unit
from core.index.embed.static import MODEL as STATIC
from core.settings import Settings

DIMENSIONS = 256
TOKENS = 96  # of a text; the rest is not read
HELD_OUT = 50  # one text of so many is not learned from
BATCH = 1024
RATE = 2e-3  # falls to nothing, batch by batch
SIF = 1e-3  # Arora et al. (2017): how soon common tokens count less
SEED = 7

Floats = NDArray[np.float32]
Ids = Sequence[NDArray[np.intp]]  # the tokens of each text


def texts_of(specs: Sequence[Path]) -> list[str]:
    """What is embedded of every element, and its lines by themselves; each text once, sorted."""
    with TemporaryDirectory() as folder:
        settings = Settings(embedder="hash", log_stats=False)
        with Workbench.open(Path(folder) / "store", settings=settings) as workbench:
            for _ in workbench.ingest(list(specs)):
                pass
            whole = {chunk.text for chunk in workbench.chunks()}
    lines = {line for text in whole for line in text.splitlines() if len(line.split()) > 2}
    return sorted(normalise(text) for text in whole | lines)


def targets(teacher: Embedder, texts: Sequence[str], words: Sequence[str]) -> tuple[Floats, Floats]:
    """The teacher's vectors of the texts and of single tokens, in its first directions.

    They are turned to the principal directions of the texts; those of texts are of unit length.
    """
    vectors = teacher.embed(texts)
    mean = vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    turned = directions[:DIMENSIONS].T
    return unit((vectors - mean) @ turned), (teacher.embed(words) - mean) @ turned


def weighted(vectors: Floats, ids: Ids) -> Floats:
    """Token vectors, common ones shorter."""
    counts = np.bincount(np.concatenate(ids), minlength=len(vectors))
    weights = SIF / (SIF + counts / max(1, counts.sum()))
    scaled: Floats = (vectors * weights[:, None]).astype(np.float32)
    return scaled


def trained(vectors: Floats, ids: Ids, wanted: Floats, *, epochs: int) -> Floats:
    """The token vectors, moved so that the mean of a text's points where its target does.

    The loss is 1 - cosine; Adam, which touches only the tokens of a batch.
    """
    vectors = vectors.copy()
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    batches = [batch for epoch in range(epochs) for batch in _batches(len(ids), SEED + epoch)]
    for step, batch in enumerate(batches):
        rows, gradient = _gradient(vectors, [ids[at] for at in batch], wanted[batch])
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.999 * second[rows] + 0.001 * gradient**2
        sure, spread = (
            first[rows] / (1 - 0.9 ** (step + 1)),
            second[rows] / (1 - 0.999 ** (step + 1)),
        )
        rate = RATE * (1 - step / len(batches))
        vectors[rows] -= (rate * sure / (np.sqrt(spread) + 1e-8)).astype(np.float32)
    return vectors


def agreement(vectors: Floats, ids: Ids, wanted: Floats) -> float:
    """Mean cosine of the texts to their targets."""
    means = unit(np.array([vectors[each].mean(axis=0) for each in ids], np.float32))
    return float((means * wanted).sum(axis=1).mean())


def quantised(vectors: Floats) -> NDArray[np.int8]:
    """On one scale for all, since only directions of means count."""
    whole: NDArray[np.int8] = np.round(vectors * (127 / np.abs(vectors).max())).astype(np.int8)
    return whole


def _batches(count: int, seed: int) -> Iterator[NDArray[np.intp]]:
    order = np.random.default_rng(seed).permutation(count)
    yield from (order[start : start + BATCH] for start in range(0, count, BATCH))


def _gradient(vectors: Floats, ids: Ids, wanted: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Rows, and the mean loss's gradient for each."""
    tokens, lengths = np.concatenate(ids), np.array([len(each) for each in ids])
    texts = np.repeat(np.arange(len(ids)), lengths)
    means = np.zeros((len(ids), vectors.shape[1]), np.float32)
    np.add.at(means, texts, vectors[tokens] / lengths[texts, None])
    size = np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    directions = means / size
    along = (directions * wanted).sum(axis=1, keepdims=True)
    of_mean = -(wanted - along * directions) / size / len(ids)
    rows, where = np.unique(tokens, return_inverse=True)
    gradient = np.zeros((len(rows), vectors.shape[1]), np.float32)
    np.add.at(gradient, where, (of_mean / lengths[:, None])[texts])
    return rows, gradient


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(STATIC / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
    return tokenizer


def _id(entry: tuple[str, int]) -> int:
    return entry[1]


def make(specs: Sequence[Path], teacher: Embedder, out: Path, *, epochs: int) -> None:
    """Write a folder that `StaticEmbedder` reads."""
    tokenizer = _tokenizer()
    words = [word.removeprefix("##") for word, _ in sorted(tokenizer.get_vocab().items(), key=_id)]
    encoded = tokenizer.encode_batch_fast(texts := texts_of(specs), add_special_tokens=False)
    known = [
        (text, np.array(each.ids)) for text, each in zip(texts, encoded, strict=True) if each.ids
    ]
    ids = [each for _, each in known]
    wanted, start = targets(teacher, [text for text, _ in known], words)
    seen = [at for at in range(len(ids)) if at % HELD_OUT]
    kept = list(range(0, len(ids), HELD_OUT))
    vectors = weighted(start, ids)
    print(
        f"{len(ids)} texts; before: {agreement(vectors, [ids[k] for k in kept], wanted[kept]):.3f}"
    )
    vectors = trained(vectors, [ids[at] for at in seen], wanted[seen], epochs=epochs)
    print(f"after: {agreement(vectors, [ids[k] for k in kept], wanted[kept]):.3f}")
    out.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": quantised(vectors)}, out / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(STATIC / name, out / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("specs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, default=MINILM)
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args()
    make(options.specs, MiniLmEmbedder(options.teacher), options.out, epochs=options.epochs)


if __name__ == "__main__":
    main()
