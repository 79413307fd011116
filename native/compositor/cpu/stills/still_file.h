#pragma once

#include <memory>
#include <string>

#include "compositor/planar_image.h"

namespace framewright {

// A still as prepareStill() has made it, as a file that only this engine reads: 40 header bytes ("FWST", then
// version 1, width, height, 1 where there is alpha, 0, all as little-endian uint32, and the two drawn sizes
// that it was made for as the bits of a double), then its planes, rows top down without padding.

// Writes a new file. Fails with UNEXPECTED, also for images that prepareStill() does not make.
Status writeStillFile(const PlanarImage& image, double drawnWidth, double drawnHeight,
                      const std::string& path);

// Fails with MEDIA_UNREADABLE where the file is not whole or was made for other sizes. Whatever its samples
// are, it is an image.
Result<std::shared_ptr<const PlanarImage>> readStillFile(const std::string& path, double drawnWidth,
                                                         double drawnHeight);

}  // namespace framewright
