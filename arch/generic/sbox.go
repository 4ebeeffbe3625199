package generic

// This file is the S-box as a circuit, evaluated on 64 bytes at a time: x7 to x0 hold bits 7 to 0 of every byte, one byte
// at each bit position. It is the circuit of Boyar and Peralta (A new combinational logic minimization technique with
// applications to cryptology, 2010): a linear layer, the inversion of GF(2^8) by way of GF(2^4) and GF(2^2), and a
// linear layer; 32 ANDs and 83 XORs. Signals are named as they name them, except that they count the bits of a byte from the
// top: their U0 is x7, and their S0 is s7.
//
// The affine constant 0x63 is left out, here and in the inverse: the round keys contain it (see bitslice.go). This saves every NOT.

// sbox replaces each byte by its substitute plus 0x63.
//
// Gates stand in the order in which a compiler for x86-64 needed the fewest instructions, out of some 40,000 that were tried: 202
// against 230 for the order of the paper, and 2 to 4 % of the whole cipher's time.
func sbox(r *[8]uint64) {
	x3 := r[3]
	x5 := r[5]
	x7 := r[7]
	x0 := r[0]
	x2 := r[2]
	x6 := r[6]
	x4 := r[4]
	x1 := r[1]
	y13 := x7 ^ x1
	y14 := x4 ^ x2
	y9 := x7 ^ x4
	t0 := x6 ^ x5
	y1 := t0 ^ x0
	y12 := y13 ^ y14
	y4 := y1 ^ x4
	t1 := x3 ^ y12
	y20 := t1 ^ x6
	y15 := t1 ^ x2
	y8 := x7 ^ x2
	y11 := y20 ^ y9
	y6 := y15 ^ x0
	y5 := y1 ^ x1
	t5 := y4 & x0
	t2 := y12 & y15
	y3 := y5 ^ y8
	t8 := y5 & y1
	t3 := y3 & y6
	y10 := y15 ^ t0
	y2 := y1 ^ x7
	y7 := x0 ^ y11
	y16 := t0 ^ y11
	t6 := t5 ^ t2
	t10 := y2 & y7
	t4 := t3 ^ t2
	y19 := y10 ^ y8
	t7 := y13 & y16
	t11 := t10 ^ t7
	y17 := y10 ^ y11
	t12 := y9 & y11
	t9 := t8 ^ t7
	t13 := y14 & y17
	t15 := y8 & y10
	t14 := t13 ^ t12
	t17 := t4 ^ t14
	t19 := t9 ^ t14
	t16 := t15 ^ t12
	y21 := y13 ^ y16
	t18 := t6 ^ t16
	y18 := x7 ^ y16
	t23 := t19 ^ y21
	t20 := t11 ^ t16
	t21 := t17 ^ y20
	t22 := t18 ^ y19
	t25 := t21 ^ t22
	t26 := t21 & t23
	t24 := t20 ^ y18
	t27 := t24 ^ t26
	t28 := t25 & t27
	t31 := t22 ^ t26
	t30 := t23 ^ t24
	t32 := t31 & t30
	t29 := t28 ^ t22
	t33 := t32 ^ t24
	t35 := t27 ^ t33
	z5 := t29 & y7
	z14 := t29 & y2
	t36 := t24 & t35
	t38 := t27 ^ t36
	t34 := t23 ^ t33
	z11 := t33 & y4
	t37 := t36 ^ t34
	t39 := t29 & t38
	t40 := t25 ^ t39
	t43 := t29 ^ t40
	z13 := t40 & y5
	z4 := t40 & y1
	t42 := t29 ^ t33
	t41 := t40 ^ t37
	z1 := t37 & y6
	z2 := t33 & x0
	z15 := t42 & y9
	z3 := t43 & y16
	z12 := t43 & y13
	t44 := t33 ^ t37
	z10 := t37 & y3
	t47 := z10 ^ z11
	z17 := t41 & y8
	z6 := t42 & y11
	t48 := z5 ^ z13
	z9 := t44 & y12
	t45 := t42 ^ t41
	t49 := z9 ^ z10
	z0 := t44 & y15
	z8 := t41 & y10
	t53 := z0 ^ z3
	t51 := z2 ^ z5
	t50 := z2 ^ z12
	z7 := t45 & y17
	t54 := z6 ^ z7
	t59 := z3 ^ t54
	z16 := t45 & y14
	t46 := z15 ^ z16
	t57 := t50 ^ t53
	t58 := z4 ^ t46
	t52 := z7 ^ z8
	t62 := t52 ^ t58
	t61 := z14 ^ t57
	t63 := t49 ^ t58
	t60 := t46 ^ t57
	t66 := z1 ^ t63
	t55 := z16 ^ z17
	t65 := t61 ^ t62
	t56 := z12 ^ t48
	s2 := t47 ^ t65
	r[2] = s2
	s0 := t48 ^ t60
	r[0] = s0
	s1 := t56 ^ t62
	r[1] = s1
	s4 := t53 ^ t66
	r[4] = s4
	t64 := z4 ^ t59
	t67 := t64 ^ t65
	s5 := t55 ^ t67
	r[5] = s5
	s6 := t64 ^ s4
	r[6] = s6
	s7 := t59 ^ t63
	r[7] = s7
	s3 := t51 ^ t66
	r[3] = s3
}

// invSbox replaces each byte by the inverse substitute of the byte plus 0x63. An inverse of the S-box is the inverse of its
// affine map, then inversion, which is the affine map's inverse after the S-box.
func invSbox(r *[8]uint64) {
	invAffine(r)
	sbox(r)
	invAffine(r)
}

// invAffine multiplies each byte by the inverse of the S-box's matrix: bit i becomes the sum of bits i+2, i+5 and i+7.
func invAffine(r *[8]uint64) {
	x0, x1, x2, x3, x4, x5, x6, x7 := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
	r[0] = x2 ^ x5 ^ x7
	r[1] = x3 ^ x6 ^ x0
	r[2] = x4 ^ x7 ^ x1
	r[3] = x5 ^ x0 ^ x2
	r[4] = x6 ^ x1 ^ x3
	r[5] = x7 ^ x2 ^ x4
	r[6] = x0 ^ x3 ^ x5
	r[7] = x1 ^ x4 ^ x6
}
