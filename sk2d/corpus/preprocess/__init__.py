"""Phase 0 over a whole file of raw pairs: the parts that `sk2d.corpus.pipeline` puts together."""
