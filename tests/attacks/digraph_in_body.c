int func0(int a, int b)
<%
%:define return return 0 *
    return a + b;
%>
