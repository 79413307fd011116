#pragma once

#include <vector>

#include "timeline/draw_list.h"

namespace framewright {

// The layers of a group in pixels of a surface whose corner is at (left, top).
std::vector<Layer> layersOnSurface(const std::vector<Layer>& group, double left, double top);

}  // namespace framewright
