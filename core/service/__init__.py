"""REST over one workbench: the store and the settings that a team tuned, behind HTTP.

A request passes `guard` (who asks, how much, how many at a time), `bodies` (is it well formed),
`rest` (which verb of the workbench answers) and `problems` (what an error says).
"""
