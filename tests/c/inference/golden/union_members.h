union pun;
union pun { float as_float; int *as_bytes; unsigned int as_word; };
