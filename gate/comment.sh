#!/usr/bin/env bash
# Write gate.md of GATE_OUT as a comment on the pull request GATE_PULL, in place of the last one.
set -euo pipefail
[ -f "$GATE_OUT/gate.md" ] || exit 0 # the gate failed before it had figures
mark='<!-- specloupe retrieval gate -->'
{ printf '%s\n' "$mark"; cat "$GATE_OUT/gate.md"; } > "$GATE_OUT/comment.md"
comments="repos/$GITHUB_REPOSITORY/issues/$GATE_PULL/comments"
last=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | tail -1)
if [ -n "$last" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$last" --field "body=@$GATE_OUT/comment.md"
else
    gh api --silent --method POST "$comments" --field "body=@$GATE_OUT/comment.md"
fi
