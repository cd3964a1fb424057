"""The shipped strategies of Qwixx."""
