"""How charts look: on the ground of the page, in its letters, without any menu."""

from __future__ import annotations

import altair as alt

__all__ = ["themed"]


def themed(chart: alt.Chart) -> alt.Chart:
    """The chart without a frame, with letters large enough for a phone."""
    return (
        chart.configure(background="transparent")
        .configure_view(strokeWidth=0)
        .configure_axis(labelFontSize=14, titleFontSize=14, labelLimit=150)
        .configure_legend(labelFontSize=14, labelLimit=180)
    )
