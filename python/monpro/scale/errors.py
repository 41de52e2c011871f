"""The error that refuses or stops a job."""


class JobError(Exception):
    """A job cannot begin or cannot go on. The message is one line without any value of a row.

    What is done stays done: parts that are written are whole, and the job can be resumed.
    """
