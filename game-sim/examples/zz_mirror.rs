use game_sim::*; use match_feed::*;
fn main(){ let m: u8=std::env::args().nth(1).unwrap().parse().unwrap(); let mut w=World::new(&MatchSetup{map:MapChoice::BuiltIn(m),mutators:0,seed:1,openers:PerSide{blue:None,red:None}}).unwrap();
 let s=w.map_size(); let (wx,wy)=(s.width() as i32*1024-1,s.height() as i32*1024-1);
 let mut ais = PerSide::from_fn(|s| Ai::new(s, AiLevel::Normal, 5));
 let mut shown=0;
 for t in 0..1500 { let b=ais.blue.think(&w); let r=ais.red.think(&w); 
   if b.len()!=r.len() { println!("{t} orders differ\n  {b:?}\n  {r:?}"); shown+=1; }
   w.step(&compose_tick(Side::Blue,b,r));
   let mut bl:Vec<_>=w.units().filter(|u|u.side==Side::Blue).map(|u|(u.kind,u.at,u.activity)).collect();
   let mut re:Vec<_>=w.units().filter(|u|u.side==Side::Red).map(|u|(u.kind,u.at,u.activity)).collect();
   if bl.len()!=re.len(){println!("{t} count {} {}",bl.len(),re.len()); shown+=1;}
   let _=(&mut bl,&mut re);
   for (a,b) in bl.iter().zip(&re) { let (dx,dy)=(a.1.x-(wx-b.1.x),a.1.y-(wy-b.1.y)); if a.0!=UnitKind::SCOUT&&(dx.abs()>1100||dy.abs()>1100) { println!("{t} {a:?} {b:?} off {dx} {dy}"); shown+=1; } }
   if shown>14 {break}
 } }
