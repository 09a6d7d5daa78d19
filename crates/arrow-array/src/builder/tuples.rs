//! Tuples of builders.

/// Calls a macro once for each length of tuple, up to 16. For each builder, the macro gets two type names and the index.
macro_rules! all_tuples {
    ($tuples:ident) => {
        #[rustfmt::skip]
        $tuples! {
            (A VA 0)
            (A VA 0, B VB 1)
            (A VA 0, B VB 1, C VC 2)
            (A VA 0, B VB 1, C VC 2, D VD 3)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13, O VO 14)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13, O VO 14, P VP 15)
        }
    };
}

pub(super) use all_tuples;
