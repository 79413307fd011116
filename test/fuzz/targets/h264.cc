#include "bitstream/h264/bits.h"
#include "bitstream/h264/headers.h"
#include "bitstream/h264/parameter_sets.h"
#include "bitstream/h264/skip_frame.h"
#include "targets.h"
#include "x264/skip_frame_inserter.h"

namespace framewright::fuzz {

// The stream starts with its parameter sets; every later unit is a frame that is repeated.
void h264(std::span<const uint8_t> bytes) {
  namespace h = framewright::h264;
  const auto headers = h::readStreamHeaders(bytes);
  for (const auto unit : h::splitAnnexB(bytes)) {
    const h::Bytes plain = h::unescape(unit);
    h::Bytes escaped;
    h::appendNal(escaped, plain);
    if (!headers) continue;
    const auto slice = h::readSliceHeader(plain, *headers);
    if (!slice) continue;
    h::SliceHeader moved = *slice;
    moved.frameNum += 3;
    moved.pocLsb += 2;
    moved.unmarkedReferences = std::vector<uint32_t>{1, 0};
    static_cast<void>(h::withCounters(plain, *slice, moved, *headers));
    static_cast<void>(h::withPpsId(plain, *slice, *headers, 9));
  }
  h::ParameterSets sets;
  const auto ids = sets.add(bytes);
  h::Bytes renumbered;
  if (ids) static_cast<void>(sets.renumber(bytes, *ids, renumbered));
  static_cast<void>(sets.movieExtradata(2));
  static_cast<void>(h::readAvcConfig(bytes));
  // Skips absurd frame sizes, whose skip frames would only take time.
  if (!headers || !headers->supportsSkipFrames() || headers->macroblockCount > 8192) return;
  static_cast<void>(h::SkipFrameWriter(*headers).write(5, 7));
  x264::SkipFrameInserter inserter(*headers,
                                   [](const x264::SkipFrameInserter::AccessUnit&) { return Status{}; });
  int64_t shown = 0;
  for (const auto unit : h::splitAnnexB(bytes)) {
    if (h::nalType(unit) != h::kSlice && h::nalType(unit) != h::kIdrSlice) continue;
    h::Bytes access;
    h::appendNal(access, h::unescape(unit));
    inserter.insertAfter(shown, 3, 2);
    if (!inserter.push(access, shown, h::nalType(unit) == h::kIdrSlice).ok()) return;
    if (++shown > 40) return;
  }
}

}  // namespace framewright::fuzz
