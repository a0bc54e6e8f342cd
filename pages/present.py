"""Present: the question on the screen as a story in five steps, for people who only watch."""

from core.story.question import of_context
from core.story.samples import told_by
from ui.locale.locale import WRITING
from ui.shared.deck import show, stories
from ui.shared.frame import frame, nothing_stored, said_plainly
from ui.shared.question import answered, asked
from ui.shared.services import catalog

workbench = frame("Present")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
request = asked(workbench)
with said_plainly():
    context = answered(request, workbench)
    titles = {entry.file_id: entry.name for entry in catalog(workbench)}
    deck = of_context(context, titles, stored=workbench.tokens(), writing=WRITING)
    show(deck, "story")
stories(told_by(titles))
