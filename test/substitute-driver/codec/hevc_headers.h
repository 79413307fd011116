#pragma once

#include <vector>

#include "substitute.h"

namespace substitute {

// Parameter sets in Annex B format with which the slices of a picture are decoded, or nothing if they need
// more than a driver knows: sets of reference pictures, scaling lists, tiles, or extensions.
std::vector<uint8_t> parameterSetsOf(const CUVIDHEVCPICPARAMS& picture);

}  // namespace substitute
