-- A record as the sixth version of the tables had it.

CREATE TABLE ceilings (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES devices,
  copy_bytes_per_second REAL,
  float_flops_per_second REAL,
  double_flops_per_second REAL,
  driver TEXT NOT NULL,
  created_seconds INTEGER NOT NULL);
INSERT INTO ceilings VALUES(1,1,4200000000000.0,60100000000000.0,NULL,'580.1 (CUDA 13.0)',1763715605);
CREATE TABLE crowns (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES devices,
  space TEXT NOT NULL,
  problem TEXT NOT NULL,
  evaluation_id INTEGER NOT NULL REFERENCES evaluations,
  baseline_id INTEGER REFERENCES evaluations,
  evaluation_count INTEGER NOT NULL,
  ok_count INTEGER NOT NULL,
  value REAL,
  low REAL,
  high REAL,
  speedup REAL,
  toolchain TEXT NOT NULL,
  driver TEXT NOT NULL,
  source_hash TEXT NOT NULL,
  metrics TEXT NOT NULL,
  launch TEXT NOT NULL,
  options TEXT NOT NULL,
  created_seconds INTEGER NOT NULL,
  gains TEXT NOT NULL DEFAULT '', objective TEXT NOT NULL DEFAULT 'time', is_unproved INTEGER NOT NULL DEFAULT 0, proof TEXT NOT NULL DEFAULT '', speedup_low REAL, speedup_high REAL, baseline_low REAL, baseline_high REAL, measurement TEXT NOT NULL DEFAULT '', part TEXT NOT NULL DEFAULT '', stood_seconds INTEGER NOT NULL DEFAULT 0, portfolio_id INTEGER REFERENCES portfolios, member INTEGER NOT NULL DEFAULT 0, loss REAL, loss_low REAL, loss_high REAL);
INSERT INTO crowns VALUES(1,1,'matmul','square',1,NULL,200,180,10.499999999999999999,10.249999999999999999,10.75,2.5,'NVRTC 13.0','580.1','00ff','{"flops": 1.0}','{"block": [16]}','["-O3"]',1763715603,'','time',0,'',NULL,NULL,NULL,NULL,'','',0,NULL,0,NULL,NULL,NULL);
INSERT INTO crowns VALUES(2,1,'matmul','square',1,1,201,181,9.5,9.25,9.75,NULL,'NVRTC 13.0','580.1','00ff','{}','{}','[]',1763715604,'[{"to": {"TILE": 32}, "share": 1.0}]','time',0,'{"problems": 2, "data_sets": 2, "patterns": 6, "launches": 31, "guarded": true, "zones": false, "crowded": true, "passed": ["memcheck"], "not_run": {"host": "does not compile there"}}',0.5,2.0,9.25,9.75,'{"blocks": 6, "samples": 30}','',0,NULL,0,NULL,NULL,NULL);
CREATE TABLE devices (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  slug TEXT NOT NULL,
  model TEXT NOT NULL,
  architecture TEXT NOT NULL,
  driver TEXT NOT NULL,
  uuid TEXT NOT NULL,
  properties TEXT NOT NULL,
  UNIQUE (slug, kind));
INSERT INTO devices VALUES(1,'cuda','nvidia-h200','NVIDIA H200','sm_90','580.1 (CUDA 13.0)','GPU-1','{"warp_size": 32}');
INSERT INTO devices VALUES(2,'host','a-processor','A Processor','x86_64','6.1','','{}');
CREATE TABLE IF NOT EXISTS "evaluations" ( id INTEGER PRIMARY KEY, key BLOB NOT NULL, run_id INTEGER REFERENCES runs, device_id INTEGER NOT NULL REFERENCES devices, space TEXT NOT NULL, problem TEXT NOT NULL, problem_json TEXT NOT NULL, configuration TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL, time_ns REAL, low_ns REAL, high_ns REAL, launches_per_sample INTEGER, raced INTEGER NOT NULL, registers INTEGER, local_bytes INTEGER, spill_store_bytes INTEGER, spill_load_bytes INTEGER, shared_bytes INTEGER, threads_per_block INTEGER, blocks INTEGER, resident_blocks INTEGER, occupancy REAL, limiting_factor TEXT NOT NULL, flops REAL, bytes REAL, is_double INTEGER NOT NULL, max_relative_error REAL, compile_ns INTEGER, measure_ns INTEGER, clock_hz INTEGER, throttled INTEGER NOT NULL, created_seconds INTEGER NOT NULL, board TEXT NOT NULL DEFAULT '', image BLOB, samples_ns BLOB, log TEXT NOT NULL);
INSERT INTO evaluations VALUES(1,X'fedcba98765432100000000000000001',1,1,'matmul','square','{"M": 4096}','{"BLOCK_X": 16}','ok','',1234.5,1233.2499999999999999,1236.125,8,0,101,102,103,104,105,106,107,4,0.625,'registers',137000000000.0,201000000.0,1,1.5000000000000000379e-06,108,109,1980000000,1,1763715601,'',NULL,X'0000000000428f409a9999999999b93f','');
INSERT INTO evaluations VALUES(2,X'fedcba98765432100000000000000002',1,1,'matmul','square','{"M": 4096}','{"BLOCK_X": 32}','compile_failed','a detail',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,0,NULL,108,NULL,NULL,0,1763715602,'',NULL,NULL,replace('line 1\nline 2','\n',char(10)));
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES devices,
  space TEXT NOT NULL,
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  started_seconds INTEGER NOT NULL,
  ended_seconds INTEGER,
  ending TEXT NOT NULL, origin TEXT NOT NULL DEFAULT '', token TEXT NOT NULL DEFAULT '');
INSERT INTO runs VALUES(1,1,'matmul','auto',-1,'0.1.0',1763715600,1763715700,'done','','');
CREATE TABLE revisits ( id INTEGER PRIMARY KEY, device_id INTEGER NOT NULL REFERENCES devices, board TEXT NOT NULL, run_id INTEGER REFERENCES runs, space TEXT NOT NULL, problem TEXT NOT NULL, configuration TEXT NOT NULL, source_hash TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL, verdict TEXT NOT NULL, objective TEXT NOT NULL, value REAL, low REAL, high REAL, baseline REAL, baseline_low REAL, baseline_high REAL, speedup REAL, speedup_low REAL, speedup_high REAL, change REAL, change_low REAL, change_high REAL, look_count INTEGER NOT NULL, clock_hz INTEGER, measurement TEXT NOT NULL, conditions TEXT NOT NULL, created_seconds INTEGER NOT NULL);
CREATE TABLE portfolios ( id INTEGER PRIMARY KEY, device_id INTEGER NOT NULL REFERENCES devices, space TEXT NOT NULL, loss_limit REAL, most INTEGER NOT NULL, created_seconds INTEGER NOT NULL);
CREATE INDEX crowns_place ON crowns (device_id, space, problem);
CREATE INDEX ceilings_device ON ceilings (device_id);
CREATE INDEX runs_place ON runs (started_seconds, device_id);
CREATE INDEX evaluations_key ON evaluations (key, created_seconds);
CREATE INDEX revisits_place ON revisits (space, problem, device_id, created_seconds);
CREATE INDEX portfolios_place ON portfolios (device_id, space);

PRAGMA application_id = 1096045902;
PRAGMA user_version = 6;
