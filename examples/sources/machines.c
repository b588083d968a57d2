#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum light { LIGHT_RED, LIGHT_GREEN, LIGHT_YELLOW, LIGHT_OFF };

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_WORD, TOKEN_SIGN };

struct button {
  uint8_t history;
  bool pressed;
};

struct lift {
  int floor;
  int target;
  int direction;
  bool open;
};

struct controller {
  int setpoint;
  int integral;
  int last_error;
};

enum light next_light(enum light current) {
  switch (current) {
    case LIGHT_RED:
      return LIGHT_GREEN;
    case LIGHT_GREEN:
      return LIGHT_YELLOW;
    case LIGHT_YELLOW:
      return LIGHT_RED;
    default:
      return LIGHT_OFF;
  }
}

bool debounce(struct button *button, bool level) {
  button->history = (uint8_t)(button->history << 1 | level);
  if (button->history == 0xff) {
    button->pressed = true;
  } else if (button->history == 0) {
    button->pressed = false;
  }
  return button->pressed;
}

void lift_step(struct lift *lift) {
  if (lift->floor == lift->target) {
    lift->direction = 0;
    lift->open = true;
    return;
  }
  lift->open = false;
  lift->direction = lift->floor < lift->target ? 1 : -1;
  lift->floor += lift->direction;
}

int control(struct controller *controller, int measured) {
  int error = controller->setpoint - measured;
  int slope = error - controller->last_error;
  controller->integral += error;
  if (controller->integral > 1000) {
    controller->integral = 1000;
  } else if (controller->integral < -1000) {
    controller->integral = -1000;
  }
  controller->last_error = error;
  return 4 * error + controller->integral / 8 + 2 * slope;
}

unsigned int backoff_delay(unsigned int attempt, unsigned int limit) {
  unsigned int delay = 100;
  while (attempt-- > 0 && delay < limit) {
    delay *= 2;
  }
  return delay < limit ? delay : limit;
}

enum token next_kind(const char *text, size_t *length) {
  size_t read = 0;
  enum token kind = TOKEN_SIGN;
  if (*text == '\0') {
    *length = 0;
    return TOKEN_END;
  }
  if (*text >= '0' && *text <= '9') {
    kind = TOKEN_NUMBER;
    while (text[read] >= '0' && text[read] <= '9') {
      read++;
    }
  } else if (*text >= 'a' && *text <= 'z') {
    kind = TOKEN_WORD;
    while (text[read] >= 'a' && text[read] <= 'z') {
      read++;
    }
  }
  *length = read > 0 ? read : 1;
  return kind;
}

int run_program(const int8_t *code, int length, int input) {
  int accumulator = input;
  for (int place = 0; place + 1 < length; place += 2) {
    int operand = code[place + 1];
    switch (code[place]) {
      case 0:
        return accumulator;
      case 1:
        accumulator += operand;
        break;
      case 2:
        accumulator *= operand;
        break;
      case 3:
        if (accumulator < 0) {
          accumulator = -accumulator;
        }
        break;
      case 4:
        accumulator = accumulator > operand ? operand : accumulator;
        break;
      default:
        return -1;
    }
  }
  return accumulator;
}

const char *status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved";
    case 403:
      return "Forbidden";
    case 404:
      return "Not found";
    case 500:
      return "Server error";
    default:
      return status >= 400 ? "Error" : "Unknown";
  }
}

bool is_valid_step(enum light from, enum light to) {
  return to == LIGHT_OFF || (from != LIGHT_OFF && next_light(from) == to);
}
