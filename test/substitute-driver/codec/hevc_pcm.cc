#include "codec/hevc_pcm.h"

#include "codec/cabac.h"

namespace substitute {
namespace {

enum Unit : uint32_t { kTrailing = 1, kIdr = 19, kVideoSet = 32, kSequenceSet = 33, kPictureSet = 34 };
constexpr uint32_t kLevel = 153, kMaxPictures = 7, kQp = 26;
constexpr int kOrderBits = 8, kBlock = 16;
// part_mode of a block that is not split, in I slices (initValue 184).
constexpr CabacContext kPartMode[] = {{10, 48}};

void startUnit(BitWriter& out, Unit unit) {
  out.bits(unit << 1, 8);
  out.bits(1, 8);
}

void writeProfile(BitWriter& out) {
  out.bits(1, 8);  // Main
  out.bits(0x60000000, 32);
  out.bits(0b1001, 4);  // progressive frames only
  out.bits(0, 32);
  out.bits(0, 12);
  out.bits(kLevel, 8);
}

void writeBufferSizes(BitWriter& out, const HevcVideo& video) {
  out.flag(true);  // sub_layer_ordering_info_present_flag
  out.golomb(kMaxPictures);
  out.golomb(static_cast<uint32_t>(video.maxReorder));
  out.golomb(0);
}

std::vector<uint8_t> videoSet(const HevcVideo& video) {
  BitWriter out;
  startUnit(out, kVideoSet);
  out.bits(0b0000'11'000000'000'1, 16);
  out.bits(0xffff, 16);
  writeProfile(out);
  writeBufferSizes(out, video);
  out.bits(0, 6);  // vps_max_layer_id
  out.golomb(0);   // vps_num_layer_sets_minus1
  out.bits(0, 2);  // no timing, no extension
  out.stop();
  return out.bytes();
}

void writeVui(BitWriter& out, const HevcVideo& video) {
  out.bits(0, 2);  // no aspect ratio, no overscan
  out.flag(true);  // video_signal_type_present_flag
  out.bits(5, 3);
  out.flag(video.isFullRange);
  out.flag(video.hasColors);
  if (video.hasColors) {
    for (const uint32_t value : {video.primaries, video.transfer, video.matrix}) out.bits(value, 8);
  }
  out.flag(false);  // chroma_loc_info_present_flag
  out.bits(0, 3);   // no neutral chroma, no fields
  out.bits(0, 3);   // no default display window, no timing, no restriction
}

std::vector<uint8_t> sequenceSet(const HevcVideo& video) {
  const auto coded = [](int samples) { return (samples + kBlock - 1) / kBlock * kBlock; };
  BitWriter out;
  startUnit(out, kSequenceSet);
  out.bits(0b0000'000'1, 8);
  writeProfile(out);
  out.golomb(0);  // sps_seq_parameter_set_id
  out.golomb(1);  // 4:2:0
  out.golomb(static_cast<uint32_t>(coded(video.width)));
  out.golomb(static_cast<uint32_t>(coded(video.height)));
  out.flag(true);  // conformance_window_flag
  out.golomb(0);
  out.golomb(static_cast<uint32_t>(coded(video.width) - video.width) / 2);
  out.golomb(0);
  out.golomb(static_cast<uint32_t>(coded(video.height) - video.height) / 2);
  out.golomb(0);  // bit_depth_luma_minus8
  out.golomb(0);
  out.golomb(kOrderBits - 4);
  writeBufferSizes(out, video);
  out.golomb(1);  // blocks of at least 16 by 16
  out.golomb(0);  // and at most
  out.golomb(0);  // transforms of at least 4 by 4
  out.golomb(2);  // and at most 16 by 16
  out.golomb(0);  // max_transform_hierarchy_depth_inter
  out.golomb(0);
  out.flag(false);  // scaling_list_enabled_flag
  out.flag(false);  // amp_enabled_flag
  out.flag(false);  // sample_adaptive_offset_enabled_flag
  out.flag(true);   // pcm_enabled_flag
  out.bits(7, 4);   // 8 bits
  out.bits(7, 4);
  out.golomb(1);  // blocks of 16 by 16
  out.golomb(0);
  out.flag(true);   // pcm_loop_filter_disabled_flag
  out.golomb(0);    // num_short_term_ref_pic_sets
  out.flag(false);  // long_term_ref_pics_present_flag
  out.flag(false);  // sps_temporal_mvp_enabled_flag
  out.flag(false);  // strong_intra_smoothing_enabled_flag
  out.flag(true);   // vui_parameters_present_flag
  writeVui(out, video);
  out.flag(false);  // sps_extension_present_flag
  out.stop();
  return out.bytes();
}

std::vector<uint8_t> pictureSet() {
  BitWriter out;
  startUnit(out, kPictureSet);
  out.golomb(0);   // pps_pic_parameter_set_id
  out.golomb(0);   // pps_seq_parameter_set_id
  out.bits(0, 7);  // no dependent slices, output flags, header bits, hidden signs, or other contexts
  out.golomb(0);   // num_ref_idx_l0_default_active_minus1
  out.golomb(0);
  out.signedGolomb(0);  // init_qp_minus26
  out.bits(0, 3);       // no constrained prediction, transform skip, or QP offsets
  out.signedGolomb(0);
  out.signedGolomb(0);
  out.bits(0, 7);  // no chroma offsets, weights, bypass, tiles, wavefronts, or filters across slices
  out.flag(true);  // deblocking_filter_control_present_flag
  out.flag(false);
  out.flag(true);  // pps_deblocking_filter_disabled_flag
  out.bits(0, 2);  // no scaling lists, no modified lists
  out.golomb(0);   // log2_parallel_merge_level_minus2
  out.bits(0, 2);  // no extensions
  out.stop();
  return out.bytes();
}

}  // namespace

std::vector<uint8_t> hevcParameterSets(const HevcVideo& video) {
  std::vector<uint8_t> stream;
  appendUnit(stream, videoSet(video));
  appendUnit(stream, sequenceSet(video));
  appendUnit(stream, pictureSet());
  return stream;
}

void appendHevcPcm(std::vector<uint8_t>& stream, const HevcVideo& video, const Nv12& frame, bool isIdr,
                   uint32_t order) {
  BitWriter out;
  startUnit(out, isIdr ? kIdr : kTrailing);
  out.flag(true);              // first_slice_segment_in_pic_flag
  if (isIdr) out.flag(false);  // no_output_of_prior_pics_flag
  out.golomb(0);               // slice_pic_parameter_set_id
  out.golomb(2);               // I
  if (!isIdr) {
    out.bits(order & ((1u << kOrderBits) - 1), kOrderBits);
    out.flag(false);  // short_term_ref_pic_set_sps_flag
    out.golomb(0);    // no reference pictures
    out.golomb(0);
  }
  out.signedGolomb(0);  // slice_qp_delta
  out.stop();
  Cabac cabac(out, kPartMode, kQp);
  cabac.start();
  for (int y = 0; y < video.height; y += kBlock) {
    for (int x = 0; x < video.width; x += kBlock) {
      cabac.encode(0, true);
      cabac.terminate(true);
      out.align();
      writePcmSamples(out, frame, x, y);
      cabac.start();
      cabac.terminate(x + kBlock >= video.width && y + kBlock >= video.height);
    }
  }
  out.align();
  appendUnit(stream, out.bytes());
}

}  // namespace substitute
