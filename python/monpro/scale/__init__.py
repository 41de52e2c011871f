"""One function over the rows of many files, on one core or on many machines, killed and resumed at will."""

import importlib.util

if importlib.util.find_spec("pyarrow") is None:
    raise ImportError('jobs on columns need pyarrow: python -m pip install "monpro[columns]"')

from monpro.scale.driver import Limits
from monpro.scale.errors import JobError
from monpro.scale.job import Operation
from monpro.scale.mapping import Plan, Report, Status, map_columns, plan, status
from monpro.scale.parts import QUARANTINED

__all__ = [
    "QUARANTINED",
    "JobError",
    "Limits",
    "Operation",
    "Plan",
    "Report",
    "Status",
    "map_columns",
    "plan",
    "status",
]
