"""APIs: what is in the store, what does an element say, and what would changing it affect?"""

import streamlit as st

from ui.apis import address
from ui.apis.api import api_page
from ui.apis.catalogue import catalogue
from ui.apis.element import element_page
from ui.apis.homes import home_page, homes_list
from ui.apis.trail import trail
from ui.shared import loaded, services
from ui.shared.frame import ASSETS, frame, nothing_stored, said_plainly

workbench = frame("APIs")
st.html(ASSETS / "browse.css")
with said_plainly():
    if workbench.is_empty:
        nothing_stored()
    entries, homes = services.catalog(workbench), services.homes(workbench)

wanted = address.wanted()
with said_plainly():
    reports = loaded.reports(workbench)
    trail(wanted, entries, reports)
    home = next((home for home in homes if home.name == wanted), None)
    if not wanted:
        if entries:
            catalogue(entries, reports)
        homes_list(workbench)
    elif home:
        home_page(home, workbench)
    elif wanted in reports:
        entry = next((entry for entry in entries if entry.file_id == wanted), None)
        api_page(entry, reports[wanted], loaded.elements(workbench, wanted))
    else:
        element_page(wanted, workbench)
