#include "codec/h264_headers.h"

#include <cstddef>

#include "codec/bit_writer.h"

namespace substitute {
namespace {

constexpr uint8_t kSequenceUnit = 0x67, kPictureUnit = 0x68;
constexpr uint32_t kHighProfile = 100, kLevel = 51;

std::vector<uint8_t> sequenceSet(const H264Headers& headers) {
  BitWriter out;
  out.bits(kSequenceUnit, 8);
  out.bits(kHighProfile, 8);
  out.bits(0, 8);
  out.bits(kLevel, 8);
  out.golomb(0);    // seq_parameter_set_id
  out.golomb(1);    // 4:2:0
  out.golomb(0);    // bit_depth_luma_minus8
  out.golomb(0);    // bit_depth_chroma_minus8
  out.flag(false);  // qpprime_y_zero_transform_bypass_flag
  out.flag(false);  // seq_scaling_matrix_present_flag
  out.golomb(static_cast<uint32_t>(headers.log2MaxFrameNum - 4));
  out.golomb(static_cast<uint32_t>(headers.pocType));
  if (headers.pocType == 0) out.golomb(static_cast<uint32_t>(headers.log2MaxPocLsb - 4));
  out.golomb(static_cast<uint32_t>(headers.referenceFrames));
  out.flag(false);  // gaps_in_frame_num_value_allowed_flag
  out.golomb(static_cast<uint32_t>(headers.widthInMbs - 1));
  out.golomb(static_cast<uint32_t>(headers.heightInMbs / (headers.isFramesOnly ? 1 : 2) - 1));
  out.flag(headers.isFramesOnly);
  if (!headers.isFramesOnly) out.flag(headers.isMbaff);
  out.flag(headers.isDirect8x8);
  out.flag(false);  // frame_cropping_flag
  out.flag(false);  // vui_parameters_present_flag
  out.stop();
  return out.bytes();
}

std::vector<uint8_t> pictureSet(const H264Headers& headers, uint32_t id) {
  BitWriter out;
  out.bits(kPictureUnit, 8);
  out.golomb(id);
  out.golomb(0);  // seq_parameter_set_id
  out.flag(headers.isCabac);
  out.flag(headers.hasPocInFrame);
  out.golomb(0);  // num_slice_groups_minus1
  for (const int count : headers.references) out.golomb(static_cast<uint32_t>(count - 1));
  out.flag(headers.isWeighted);
  out.bits(static_cast<uint32_t>(headers.weightedBipred), 2);
  out.signedGolomb(headers.initialQp - 26);
  out.signedGolomb(0);  // pic_init_qs_minus26
  out.signedGolomb(headers.chromaQpOffsets[0]);
  out.flag(headers.hasDeblockingControl);
  out.flag(headers.isConstrainedIntra);
  out.flag(headers.hasRedundantPictures);
  out.flag(headers.is8x8);
  out.flag(false);  // pic_scaling_matrix_present_flag
  out.signedGolomb(headers.chromaQpOffsets[1]);
  out.stop();
  return out.bytes();
}

}  // namespace

std::vector<uint8_t> parameterSetsOf(const H264Headers& headers, uint32_t id) {
  std::vector<uint8_t> stream;
  appendUnit(stream, sequenceSet(headers));
  appendUnit(stream, pictureSet(headers, id));
  return stream;
}

uint32_t parameterSetOfSlice(const uint8_t* unit, size_t size) {
  size_t at = 8;  // in bits, after the NAL header; the first fields need no emulation prevention
  const auto bit = [&] {
    const uint32_t value = at / 8 < size ? unit[at / 8] >> (7 - at % 8) & 1u : 1u;
    ++at;
    return value;
  };
  uint32_t value = 0;
  for (int field = 0; field < 3; ++field) {  // first_mb_in_slice, slice_type, pic_parameter_set_id
    int length = 0;
    while (bit() == 0) ++length;
    value = 1;
    for (int i = 0; i < length; ++i) value = value << 1 | bit();
    --value;
  }
  return value;
}

}  // namespace substitute
