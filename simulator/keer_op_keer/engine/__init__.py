"""The fast implementation: numba kernels over bitboards, held equal to the referee move for move.

``tables`` turns a sheet into bitboards, ``valuation`` multiplies weights into them, ``scoring`` compiles scored
functions; ``layout`` says what the kernels' records hold, ``setup`` fills them. ``worth``, ``crosses``, ``sight``,
``choice`` and ``play`` are the kernels, from a single cross up to many games.
"""
