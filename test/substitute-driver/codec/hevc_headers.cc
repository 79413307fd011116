#include "codec/hevc_headers.h"

#include "codec/bit_writer.h"

namespace substitute {
namespace {

enum Unit : uint32_t { kVideoSet = 32, kSequenceSet = 33, kPictureSet = 34 };
constexpr uint32_t kLevel = 153, kMaxPictures = 15;

void startUnit(BitWriter& out, Unit unit) {
  out.bits(unit << 1, 8);
  out.bits(1, 8);
}

// profile_tier_level(), then the sizes of the decoded picture buffer.
void writeProfile(BitWriter& out, const CUVIDHEVCPICPARAMS& picture) {
  const uint32_t profile = picture.bit_depth_luma_minus8 == 0 ? 1 : 2;
  out.bits(profile, 8);
  out.bits(0x80000000u >> profile, 32);
  out.bits(0b1001, 4);  // progressive frames only
  out.bits(0, 32);
  out.bits(0, 12);
  out.bits(kLevel, 8);
}

void writeBufferSizes(BitWriter& out) {
  out.flag(true);  // sub_layer_ordering_info_present_flag
  out.golomb(kMaxPictures);
  out.golomb(0);  // num_reorder_pics: pictures are output at once
  out.golomb(0);
}

std::vector<uint8_t> videoSet(const CUVIDHEVCPICPARAMS& picture) {
  BitWriter out;
  startUnit(out, kVideoSet);
  out.bits(0b0000'11'000000'000'1, 16);
  out.bits(0xffff, 16);
  writeProfile(out, picture);
  writeBufferSizes(out);
  out.bits(0, 6);  // vps_max_layer_id
  out.golomb(0);   // vps_num_layer_sets_minus1
  out.bits(0, 2);  // no timing, no extension
  out.stop();
  return out.bytes();
}

std::vector<uint8_t> sequenceSet(const CUVIDHEVCPICPARAMS& picture) {
  BitWriter out;
  startUnit(out, kSequenceSet);
  out.bits(0b0000'000'1, 8);
  writeProfile(out, picture);
  out.golomb(0);  // sps_seq_parameter_set_id
  out.golomb(1);  // 4:2:0
  out.golomb(static_cast<uint32_t>(picture.pic_width_in_luma_samples));
  out.golomb(static_cast<uint32_t>(picture.pic_height_in_luma_samples));
  out.flag(false);  // conformance_window_flag
  out.golomb(picture.bit_depth_luma_minus8);
  out.golomb(picture.bit_depth_chroma_minus8);
  out.golomb(picture.log2_max_pic_order_cnt_lsb_minus4);
  writeBufferSizes(out);
  out.golomb(picture.log2_min_luma_coding_block_size_minus3);
  out.golomb(picture.log2_diff_max_min_luma_coding_block_size);
  out.golomb(picture.log2_min_transform_block_size_minus2);
  out.golomb(picture.log2_diff_max_min_transform_block_size);
  out.golomb(picture.max_transform_hierarchy_depth_inter);
  out.golomb(picture.max_transform_hierarchy_depth_intra);
  out.flag(false);  // scaling_list_enabled_flag
  out.flag(picture.amp_enabled_flag);
  out.flag(picture.sample_adaptive_offset_enabled_flag);
  out.flag(false);  // pcm_enabled_flag
  out.golomb(0);    // num_short_term_ref_pic_sets
  out.flag(false);  // long_term_ref_pics_present_flag
  out.flag(picture.sps_temporal_mvp_enabled_flag);
  out.flag(picture.strong_intra_smoothing_enabled_flag);
  out.flag(false);  // vui_parameters_present_flag
  out.flag(false);  // sps_extension_present_flag
  out.stop();
  return out.bytes();
}

std::vector<uint8_t> pictureSet(const CUVIDHEVCPICPARAMS& picture) {
  BitWriter out;
  startUnit(out, kPictureSet);
  out.golomb(0);  // pps_pic_parameter_set_id
  out.golomb(0);  // pps_seq_parameter_set_id
  out.flag(picture.dependent_slice_segments_enabled_flag);
  out.flag(picture.output_flag_present_flag);
  out.bits(picture.num_extra_slice_header_bits, 3);
  out.flag(picture.sign_data_hiding_enabled_flag);
  out.flag(picture.cabac_init_present_flag);
  out.golomb(picture.num_ref_idx_l0_default_active_minus1);
  out.golomb(picture.num_ref_idx_l1_default_active_minus1);
  out.signedGolomb(picture.init_qp_minus26);
  out.flag(picture.constrained_intra_pred_flag);
  out.flag(picture.transform_skip_enabled_flag);
  out.flag(picture.cu_qp_delta_enabled_flag);
  if (picture.cu_qp_delta_enabled_flag != 0) out.golomb(picture.diff_cu_qp_delta_depth);
  out.signedGolomb(picture.pps_cb_qp_offset);
  out.signedGolomb(picture.pps_cr_qp_offset);
  out.flag(picture.pps_slice_chroma_qp_offsets_present_flag);
  out.flag(picture.weighted_pred_flag);
  out.flag(picture.weighted_bipred_flag);
  out.flag(picture.transquant_bypass_enabled_flag);
  out.flag(false);  // tiles_enabled_flag
  out.flag(picture.entropy_coding_sync_enabled_flag);
  out.flag(picture.loop_filter_across_slices_enabled_flag);
  out.flag(true);  // deblocking_filter_control_present_flag
  out.flag(picture.deblocking_filter_override_enabled_flag);
  out.flag(picture.pps_deblocking_filter_disabled_flag);
  if (picture.pps_deblocking_filter_disabled_flag == 0) {
    out.signedGolomb(picture.pps_beta_offset_div2);
    out.signedGolomb(picture.pps_tc_offset_div2);
  }
  out.flag(false);  // pps_scaling_list_data_present_flag
  out.flag(picture.lists_modification_present_flag);
  out.golomb(picture.log2_parallel_merge_level_minus2);
  out.flag(picture.slice_segment_header_extension_present_flag);
  out.flag(false);  // pps_extension_present_flag
  out.stop();
  return out.bytes();
}

}  // namespace

std::vector<uint8_t> parameterSetsOf(const CUVIDHEVCPICPARAMS& picture) {
  std::vector<uint8_t> stream;
  if (picture.num_short_term_ref_pic_sets != 0 || picture.long_term_ref_pics_present_flag != 0 ||
      picture.pcm_enabled_flag != 0 || picture.scaling_list_enable_flag != 0 ||
      picture.tiles_enabled_flag != 0 || picture.sps_range_extension_flag != 0)
    return stream;
  appendUnit(stream, videoSet(picture));
  appendUnit(stream, sequenceSet(picture));
  appendUnit(stream, pictureSet(picture));
  return stream;
}

}  // namespace substitute
