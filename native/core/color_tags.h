#pragma once

namespace framewright {

// How the samples of a limited-range video are to be shown: code points of ITU-T H.273.
struct ColorTags {
  int matrix = 1, primaries = 1, transfer = 1;  // BT.709

  bool isBt709() const { return *this == ColorTags(); }
  bool operator==(const ColorTags&) const = default;
};

}  // namespace framewright
