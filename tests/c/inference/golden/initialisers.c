void window_open(Window *window) {
  Rect area = {.left = 0, .top = 10, .right = screen.width, .bottom = screen.height - 10};
  Style style = {1.5, "serif", {255, 255, 255}};
  place(window, (Rect){1, 2, 3, 4});
  place(window, area);
  window->style = style;
}
