Point midpoint(Point a, Point b) {
  Point middle;
  middle.x = (a.x + b.x) / 2;
  middle.y = (a.y + b.y) / 2;
  middle = clamp(middle, bounds);
  return middle;
}
