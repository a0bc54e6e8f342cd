#!/usr/bin/env bash
# Ingest specifications and ask labelled questions; the exit status is that of `specloupe eval`.
# Reads GATE_SPECIFICATIONS, GATE_SETS and GATE_OPTIONS (one a line), GATE_BASELINE (a file, or nothing)
# and GATE_OUT, the folder in which it leaves gate.md, gate.xml and run.json.
set -euo pipefail

listed() { # the lines of $1 without blanks around them, as words for `mapfile`
    printf '%s\n' "$1" | sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d'
}
mapfile -t specifications < <(listed "$GATE_SPECIFICATIONS")
mapfile -t sets < <(listed "$GATE_SETS")
mapfile -t options < <(listed "${GATE_OPTIONS:-}")
[ -z "${GATE_BASELINE:-}" ] || options+=(--baseline "$GATE_BASELINE")

mkdir -p "$GATE_OUT"
store="$GATE_OUT/store"
# Stored second vectors, or a busy machine would decide how much of the second look there is.
specloupe ingest "${specifications[@]}" --store "$store" --second-look
status=0
specloupe eval "${sets[@]}" --store "$store" --no-ragas --no-remedies "${options[@]}" \
    --junit "$GATE_OUT/gate.xml" --summary "$GATE_OUT/gate.md" --json --out "$GATE_OUT/run.json" || status=$?

if [ -f "$GATE_OUT/gate.md" ]; then
    cat "$GATE_OUT/gate.md" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf 'summary=%s\nrun=%s\n' "$GATE_OUT/gate.md" "$GATE_OUT/run.json" >> "$GITHUB_OUTPUT"
fi
exit $status
