// Prints the CPU time of an update of VQF in nanoseconds, on every N-th row of a recording: speed N FILE
#include "vqf.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  FILE *file = std::fopen(arguments[2], "r");
  if (!file) return 1;
  const int step = std::atoi(arguments[1]);
  char line[512];
  std::vector<double> rows;
  for (int index = -1; std::fgets(line, sizeof line, file); index++) {
    double g[3], a[3];
    if (std::sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", g, g + 1, g + 2, a, a + 1, a + 2) != 6) continue;
    if (index % step != step - 1) continue;
    for (double value : g) rows.push_back(value * 0.01 * 3.14159265358979323846 / 180);
    for (double value : a) rows.push_back(value / 8192 * 9.81);
  }
  double best = 1e300, sum = 0;
  for (int run = 0; run < 40 * step; run++) {
    VQF filter(step * 0.0035);
    const std::clock_t start = std::clock();
    for (size_t place = 0; place < rows.size(); place += 6) {
      double attitude[4];
      filter.update(&rows[place], &rows[place + 3]);
      filter.getQuat6D(attitude);
      sum += attitude[1];
    }
    const double time = double(std::clock() - start) * 1e9 / CLOCKS_PER_SEC / (rows.size() / 6);
    if (time < best) best = time;
  }
  std::printf("%f\n", sum == sum ? best : 0 / 0.0);
}
