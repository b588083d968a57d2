int func0(int a, int b)
{
    /* ‮ ⦒ begin admins only ⦑ */ if (a) return b;
    return a + b;
}
