"""The error that refuses or stops a job."""


class JobError(Exception):
    """A job cannot begin or cannot go on. The message is one line without any value of a row.

    What is done stays done: parts that are written are whole, and the job can be resumed.
    """


def ends_job(error: BaseException) -> bool:
    """Return whether an operation's error says that no row can be computed, in one line without values."""
    return isinstance(error, JobError) or getattr(error, "ends_job", False) is True
