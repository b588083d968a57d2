double blend(float weight, vec3 *out, const vec3 *a, const vec3 *b) {
  out->x = a->x * (1.0f - weight) + b->x * weight;
  out->y = a->y * (1.0f - weight) + b->y * weight;
  double length = sqrt(out->x * out->x + out->y * out->y) * gain;
  return isnan(length) ? 0.0 : floor(length + offset * 0.5);
}
