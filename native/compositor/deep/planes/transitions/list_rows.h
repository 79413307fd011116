#pragma once

#include <memory>

#include "compositor/deep/planes/images/code_image.h"
#include "compositor/deep/planes/plane_list.h"

namespace framewright {

// A list as an image whose rows are drawn when they are read, so that they are still in the CPU's cache. Used
// by one thread, for one layer.
std::shared_ptr<const CodeImage> rowsOfList(PlaneList list);

}  // namespace framewright
