"""Reports: competitions as tables of text, and as values for JSON. Pure; the layouts are gomill's."""
