"""How charts look: on the ground of the page, in its letters, without any menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import streamlit as st

__all__ = ["chart_of", "show_chart"]

_INKS = {"light": ("#2b2116", "#dcc7a3"), "dark": ("#f6ebdb", "#54432f")}


def chart_of(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    """A chart of rows of plain data, to be encoded with types of its own."""
    return alt.Chart(alt.Data(values=list(rows)))  # type: ignore[no-untyped-call]


def show_chart(chart: alt.Chart, *, key: str) -> None:
    """Draw a chart without a frame, with letters large enough for a phone."""
    ink, line = _INKS["dark" if st.context.theme.type == "dark" else "light"]
    look = (
        chart.configure(background="transparent", autosize=alt.AutoSizeParams(type="fit-x"))
        .configure_view(strokeWidth=0)
        .configure_axis(
            labelFontSize=14,
            titleFontSize=14,
            labelLimit=110,
            labelColor=ink,
            titleColor=ink,
            gridColor=line,
            domainColor=line,
            tickColor=line,
        )
        .configure_legend(labelFontSize=14, labelLimit=180, labelColor=ink, symbolStrokeWidth=0)
    )
    st.altair_chart(look, theme=None, width="stretch", key=key)
