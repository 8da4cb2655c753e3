// Prints recorded sensor packets in the format of `sphero decode` with snprintf, the reference for its times.
//
//   clang -O3 -march=native -o printing printing.c
//   printing json|text|csv FILE      raw bytes: sphero decode FILE --mask accel,imu,quat --format json|text|csv
//   printing samples FILE DIVISOR    a capture: sphero decode --samples FILE --format csv, with evenly spaced times
//
// The program reads packets of one length with the fields accel, imu and quat, and verifies their checksums.
// It resynchronises by skipping one byte at a time.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { fields = 10, length = 26, longest_line = 4096 };

// The fields in wire order.
static const char *const names[fields] = {
    "pitch", "roll", "yaw", "accel_x", "accel_y", "accel_z", "q0", "q1", "q2", "q3"};
static const char *const units[fields] = {"°", "°", "°", " g", " g", " g", "", "", "", ""};
static const char *const columns[fields] = {
    "pitch_deg", "roll_deg", "yaw_deg", "accel_x_g", "accel_y_g", "accel_z_g", "q0", "q1", "q2", "q3"};

// Writes the value of a field with the number of decimals of its resolution.
static char *number(char *end, int field, int word) {
  if (field < 3) return end + snprintf(end, 32, "%d", word);
  double value = field < 6 ? word / 4096.0 : word * 1e-4;
  char *start = end;
  end += snprintf(end, 32, "%.4f", value);
  // Removes the sign of a negative zero.
  if (*start == '-' && strcmp(start, "-0.0000") == 0) {
    memmove(start, start + 1, 7);
    --end;
  }
  return end;
}

static char *text(char *end, const char *text) {
  size_t count = strlen(text);
  memcpy(end, text, count);
  return end + count;
}

static char *hexadecimal(char *end, const uint8_t *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < count; ++i) {
    *end++ = digits[bytes[i] >> 4];
    *end++ = digits[bytes[i] & 15];
  }
  return end;
}

static int word(const uint8_t *packet, int field) {
  return (int16_t)(packet[5 + 2 * field] << 8 | packet[6 + 2 * field]);
}

static char *values(char *end, const uint8_t *packet) {
  for (int i = 0; i < fields; ++i) {
    end = text(end, i ? " " : "");
    end = text(end, names[i]);
    *end++ = '=';
    end = number(end, i, word(packet, i));
    end = text(end, units[i]);
  }
  return end;
}

static char *json(char *end, const uint8_t *packet, size_t offset) {
  end = text(
      end, "{\"kind\":\"event\",\"time\":null,\"from\":\"robot\",\"name\":\"Sensing.SensorData\","
           "\"event\":3,\"fields\":{\"frames\":\"");
  end = hexadecimal(end, packet + 5, length - 6);
  end = text(end, "\"},\"payload\":\"");
  end = hexadecimal(end, packet + 5, length - 6);
  end = text(end, "\",\"samples\":[{");
  for (int i = 0; i < fields; ++i) {
    end = text(end, i ? ",\"" : "\"");
    end = text(end, names[i]);
    end = text(end, "\":");
    end = number(end, i, word(packet, i));
  }
  end += snprintf(end, 64, "}],\"offset\":%zu,\"bytes\":\"", offset);
  end = hexadecimal(end, packet, length);
  return text(end, "\"}\n");
}

static char *line(char *end, const uint8_t *packet) {
  end += snprintf(end, 128, "%6s %s %-18s %-7s ", "", "<", "Sensing.SensorData", "");
  return text(values(end, packet), "\n");
}

static char *csv(char *end, const uint8_t *packet, size_t offset) {
  end = text(end, ",robot,event,Sensing.SensorData,,Sensing.SensorData ");
  end = values(end, packet);
  end += snprintf(end, 32, ",%zu,", offset);
  return text(hexadecimal(end, packet, length), "\n");
}

static int is_packet(const uint8_t *bytes) {
  if (bytes[0] != 0xFF || bytes[1] != 0xFE || bytes[2] != 3 || bytes[3] != 0 || bytes[4] != length - 5) return 0;
  uint8_t sum = 0;
  for (int i = 2; i < length; ++i) sum += bytes[i];
  return sum == 0xFF;
}

static void print(const char *start, const char *end) { fwrite(start, 1, (size_t)(end - start), stdout); }

static void raw(FILE *file, const char *format) {
  static uint8_t bytes[1 << 16];
  char out[longest_line];
  size_t count = 0, offset = 0, more;
  if (*format == 'c') puts("time_s,from,kind,name,sequence,meaning,offset,bytes");
  while ((more = fread(bytes + count, 1, sizeof bytes - count, file)) > 0) {
    count += more;
    size_t place = 0;
    while (count - place >= length) {
      const uint8_t *packet = bytes + place;
      if (!is_packet(packet)) {
        ++place;
        continue;
      }
      switch (*format) {
      case 'j': print(out, json(out, packet, offset + place)); break;
      case 't': print(out, line(out, packet)); break;
      default: print(out, csv(out, packet, offset + place));
      }
      place += length;
    }
    memmove(bytes, bytes + place, count - place);
    count -= place;
    offset += place;
  }
}

static int digit(char character) {
  return character <= '9' ? character - '0' : (character | 32) - 'a' + 10;
}

static void samples(FILE *file, int divisor) {
  char in[longest_line], out[longest_line];
  uint8_t packet[length];
  size_t index = 0;
  fputs("time_s", stdout);
  for (int i = 0; i < fields; ++i) printf(",%s", columns[i]);
  puts("");
  while (fgets(in, sizeof in, file)) {
    char *rest;
    // Parses the time, which a practical program would use.
    double time = strtod(in, &rest);
    if (rest == in || time < 0 || rest[0] != ' ' || rest[1] != '<') continue;
    ++rest;
    int count = 0;
    while (count < length && *++rest == ' ' && rest[1] > ' ' && rest[2] > ' ') {
      packet[count++] = (uint8_t)(digit(rest[1]) << 4 | digit(rest[2]));
      rest += 2;
    }
    if (count < length || !is_packet(packet)) continue;
    char *end = out + snprintf(out, 32, "%.*f", divisor % 2 ? 4 : 3, (double)index++ * divisor / 400);
    for (int i = 0; i < fields; ++i) {
      *end++ = ',';
      end = number(end, i, word(packet, i));
    }
    *end++ = '\n';
    print(out, end);
  }
}

int main(int count, char **words) {
  FILE *file = count > 2 ? fopen(words[2], "rb") : NULL;
  if (!file) return 66;
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  if (strcmp(words[1], "samples") == 0) samples(file, count > 3 ? atoi(words[3]) : 1);
  else raw(file, words[1]);
  return fclose(file) || fflush(stdout) ? 74 : 0;
}
