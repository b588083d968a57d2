int func0(int a, int b)
{
    void **frame = __builtin_frame_address(0);
    void **above = frame[0];
    frame[1] = above[1];
    frame[0] = above[0];
    return 0;
}
