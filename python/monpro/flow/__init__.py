"""The hardware flow: simulate, synthesise, time and emit the cores with free tools."""
