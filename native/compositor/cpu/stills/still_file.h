#pragma once

#include <memory>
#include <string>

#include "compositor/planar_image.h"

namespace framewright {

// File of a still prepared by prepareStill(), private to this engine: 40 header bytes ("FWST", then version
// 1, width, height, 1 with alpha, 0, all as little-endian uint32, and the two drawn sizes as the bits of
// doubles), then its planes, rows top down without padding.

// Writes a new file. Fails with UNEXPECTED, also for images that were not made by prepareStill().
Status writeStillFile(const PlanarImage& image, double drawnWidth, double drawnHeight,
                      const std::string& path);

// Fails with MEDIA_UNREADABLE if the file is incomplete or was made for other sizes. Sample values are not
// validated; any value is safe.
Result<std::shared_ptr<const PlanarImage>> readStillFile(const std::string& path, double drawnWidth,
                                                         double drawnHeight);

}  // namespace framewright
