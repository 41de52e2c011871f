"""Two primes of 512 bits, for tests of RSA's private operation."""

P = int(
    "d61f7e744c463afb8fd035b356627387838aed3398bc7fa9ccb43d580941e6de"
    "bce6f38a4e9fe8349ca145970f260a37ae50a5927f3491b9a2e8de7c600a0dc1",
    16,
)
Q = int(
    "e38c5d30943b2667dae8f1ad3426cb9230290644d34da06cbede9921ca70b236"
    "fcbf0173600059ca190ce8cc7997136622f6cc3ca519574e3e84f97b8a3ecdb9",
    16,
)
