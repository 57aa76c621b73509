"""What contexts of packed motion know before the first bit: counted once over recorded clips, part of the format."""

from __future__ import annotations

import base64
import zlib

import numpy as np

from locomote.formats._lmz_coder import CONTEXT, HALF, Whole

_WORTH = 32  # bits that a prior counts for, against those of the clip
_UNKNOWN = -128
_LOGITS = (  # 16 log(odds of a 0), one byte a context, zlib, base 85
    "c-qC6+f&+D9LIqqBqW3&2#WWum$BBZyVL1qU-qT55Bt3T!Orae;s4U^j<Z$UT5UzGh(+B(E0+ph@NN`=KnQ_AfFyhDQ)in4ecK;Ae&%~lPR{52"
    "PX2h*(U9=T7WMPP;mOwZ;Kv@cW@ts-zU@X^XN})=<EDBkDmJBt#=00wsa2e3sDnaLnU~~dl)cwUqQ<%?+nP~?iy=)0qk?odqYN~O84YUP$l#rD"
    "O2$xw)~Hoc%F_m?ii*;x*Qyd??Hq+uISEu*6jZCb$L5An*ZBe{p05+GVfe%@Qt1q+v}Ce(_w~T2lhgBy3-*F7G${A2`!FhbkUTs(K0eM=P{+Wn"
    "J_wcAiN_PWdwXm_rMgFcfl#qXBod8AV@H_^<{BQG(5F5GL4`u0J+`RXdhb5cr?vut4N#l0V@}3hBfsfWYyP)ue!tHj++~XfrteO#F150}yyEqG"
    "-)zQ?xEj$hFs4hrc>e79?DLni-i;`D0My>?)^qCj`#nl)J03r>ev^+~?$*@z6aC+iH9pbVres=CgLk?ZPs=RNa3`rsTncR}uD#zyVVG!WexTs)"
    "HVQLpb<IpR^U-F-F;$jP_rzo~A29?-D`|EHZ|0*4gp@0YooR34W4ThT03!{y4iEe#r1Awp5DI*Q^z@H3_c5EzR?zmrL9&^TEPHt=sB}-?5R5uJ"
    "NFE&lA+uH7H8=*N_ToE<L<0CIXtuslSlDi4I~<NgfR9z&Jv7+Rr#^+=2ZQf}p~QJXW%@@S>Qj-8b$=kRxfuarMCS;k-Gux;-x~OXFhR2qj*sh7"
    "fwxQE#U-yd5IzK9o;&(0`(|$D+069x^!)mV{Y#;Nl8&BxUsJz2v&m1}!HrNnd3KgcXEVIOD=Pk<{qfVip>J?#Y=BVZ@>N<W6`ORT(Q&K7$*r;m"
    "ddY^&b3&yc8{kc{vyVjT6^<7S&FrvyNKF=s1zD?T@N<Q5S`2bI&sP-#22V56xUpUqxr$;&O&E--VTe|jN_<sSF>48yR#w%9EERJV4I>B(jN)%Z"
    "D;EXXNSLio$R?Zw?@bW+d|o!;B*hSru&e7d@GO&&j20_n{SK0Ke)d_kOF<!Mnzo^YzK@?9-^od~iZXVqlPc(rnT#hu<J;fAEUJ{<*#<er_9J1?"
    "`C_r-Ox5ggFt#q;5#u4?8EAdGKwH}7q}mL6my{jQ`fe(Eqpj0rcjz8Z(RaWz->NT^xBzEBM?1slVG-Z*(xTV96o?+CL0G%hsYiuZy{{KuEi9}C"
    "fwl&l+i7#?Ol)&@dTQ#=r%z`W*FWxE<ix6C!U)oWI0n9?dXe<*_Lg^TE1cLnJUL2Uu-Qzpm@l7~j1MON$Fe(2jWU~EP4Tsl@CJ^xp-P#{p7Mo~"
    "WQI}*Wvo}qg<M^BG#Rmut8zYnnHEG5Ty0_ARuG_&$Y-TG+9;M_2Sq`ymV{h3FDe>htiep<#G=4+Tv}|HQ5ym6X&k6*3M>R-#xz*_X0KAIE0$%s"
    "nu#C~rC8A2g{NoWcY1olNg8Hxm?2rm`v=J+xM-$?hMA<vivId1cYtb%c;YlyMF<OR)xXRfgtxaN(Qr6<B`P>Y6II<Y_d{EttGy4#&o~(+88d?D"
    "`WW#0-}%=AQ4pqDtZtL;tzu_$#lPZPUk!aa%hhljMO$?5zUyxnz4ME&-+es177ZlL(0UV#ta<0>=H}*op`Eh=2%{|~oyXi>U4HfK<%^j&8?j_c"
    "GFd2xQTaM;W9ILvzowo%nOX4t6HBsLzF4j*jcQq}lRtccnNZA(6PBBzD3Zo00{i02f-Om+kmIgPHB-l9=vMw0KY6cL"
)


def prior() -> Whole:
    """Contexts as every stream begins with them."""
    told = np.frombuffer(zlib.decompress(base64.b85decode(_LOGITS)), dtype=np.int8)
    contexts = np.empty((len(told), CONTEXT), dtype=np.int64)
    contexts[:] = (HALF, HALF, 0)
    known = told != _UNKNOWN
    # Whole numbers: rounded to 1/256 first, so that the last digits of a logarithm decide nothing.
    odds = np.rint(4096.0 / (1.0 + np.exp(told[known] / -16.0))).astype(np.int64) << 4
    contexts[known] = np.stack([odds, odds, np.full(len(odds), _WORTH)], axis=1)
    return contexts
