#pragma once

#include <cstdint>
#include <vector>

#include "formats/gif/palette.h"

namespace framewright::gif {

// Largest difference of a channel to the pixels left of and above one of a kRgbaStraight image.
int contrastAt(const Image& image, int x, int y);

// Maps the pixels of frames to palette indices with ordered dithering. One thread.
class IndexMapper {
 public:
  // `transparent`: index of pixels below kOpaqueAlpha.
  IndexMapper(const std::vector<Color>& palette, uint8_t transparent);
  // Levels by which a palette color differs visibly from a pixel.
  float distance(uint8_t index, const uint8_t* pixel) const;
  // Writes width * height indices of a kRgbaStraight image.
  void map(const Image& image, std::vector<uint8_t>& indices);

 private:
  // The two palette colors between which a color lies, and the share of the second one.
  struct Mix {
    uint32_t color = UINT32_MAX;
    uint8_t nearest = 0, other = 0, share = 0;  // share of 64
  };
  const Mix& mixOf(uint32_t color);
  Mix findMix(uint32_t color) const;

  std::vector<Perceived> palette_;
  const uint8_t transparent_;
  std::vector<Mix> cache_;
};

}  // namespace framewright::gif
