#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Builds animated images byte by byte, including ones that encoders do not write.
namespace framewright::fixture {

struct Rgba {
  uint8_t r = 0, g = 0, b = 0, a = 255;
};

// A solid rectangle; `holes`: every other pixel is transparent (GIF and PNG).
struct DrawnFrame {
  int x = 0, y = 0, width = 8, height = 8;
  Rgba color;
  int delay = 10;      // hundredths of a second
  int disposal = 0;    // 0 keep, 1 clear, 2 restore
  bool blends = true;  // PNG and WebP
  bool holes = false;
};

struct DrawnAnimation {
  int width = 8, height = 8;
  int plays = 0;
  std::vector<DrawnFrame> frames;
};

std::vector<uint8_t> gifOf(const DrawnAnimation& animation);
std::vector<uint8_t> apngOf(const DrawnAnimation& animation);
std::vector<uint8_t> webpOf(const DrawnAnimation& animation);

}  // namespace framewright::fixture
