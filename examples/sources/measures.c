#include <math.h>

struct point {
  double x;
  double y;
};

double mean(const double *values, int count) {
  double sum = 0.0;
  if (count == 0) {
    return 0.0;
  }
  for (int i = 0; i < count; i++) {
    sum += values[i];
  }
  return sum / count;
}

double variance(const double *values, int count) {
  double average = 0.0;
  double spread = 0.0;
  for (int i = 0; i < count; i++) {
    double delta = values[i] - average;
    average += delta / (i + 1);
    spread += delta * (values[i] - average);
  }
  return count > 1 ? spread / (count - 1) : 0.0;
}

double dot_product(const double *left, const double *right, int size) {
  double sum = 0.0;
  for (int i = 0; i < size; i++) {
    sum += left[i] * right[i];
  }
  return sum;
}

double polynomial(const double *coefficients, int degree, double x) {
  double value = coefficients[degree];
  for (int power = degree - 1; power >= 0; power--) {
    value = value * x + coefficients[power];
  }
  return value;
}

double square_root(double number) {
  if (number <= 0.0) {
    return 0.0;
  }
  double guess = number > 1.0 ? number : 1.0;
  for (int round = 0; round < 60; round++) {
    double next = 0.5 * (guess + number / guess);
    if (next >= guess) {
      break;
    }
    guess = next;
  }
  return guess;
}

double polygon_area(const struct point *corners, int count) {
  double doubled = 0.0;
  for (int i = 0; i < count; i++) {
    const struct point *next = &corners[(i + 1) % count];
    doubled += corners[i].x * next->y - next->x * corners[i].y;
  }
  return fabs(doubled) / 2.0;
}

int nearest_point(const struct point *points, int count, double x, double y) {
  int nearest = -1;
  double shortest = 0.0;
  for (int i = 0; i < count; i++) {
    double dx = points[i].x - x;
    double dy = points[i].y - y;
    double distance = dx * dx + dy * dy;
    if (nearest < 0 || distance < shortest) {
      nearest = i;
      shortest = distance;
    }
  }
  return nearest;
}

float smooth(float *state, float sample, float weight) {
  *state = *state + weight * (sample - *state);
  return *state;
}

double to_celsius(double fahrenheit) { return (fahrenheit - 32.0) * 5.0 / 9.0; }

int grade(double share) {
  if (share >= 0.9) {
    return 1;
  }
  if (share >= 0.75) {
    return 2;
  }
  if (share >= 0.5) {
    return 3;
  }
  return share >= 0.25 ? 4 : 5;
}

double midpoint_sum(double (*curve)(double), double from, double to,
                    int slices) {
  double width = (to - from) / slices;
  double area = 0.0;
  for (int i = 0; i < slices; i++) {
    area += curve(from + (i + 0.5) * width) * width;
  }
  return area;
}
