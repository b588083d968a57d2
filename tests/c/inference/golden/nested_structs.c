double wheel_area(struct car *car, int axle) {
  struct wheel *wheel = &car->axles[axle].left;
  if (wheel->rim.width_mm <= 0) return 0.0;
  return wheel->rim.diameter * wheel->rim.diameter / 4.0 * car->shape.factor;
}
