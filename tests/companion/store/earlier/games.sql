BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE changes (
	game_id VARCHAR(64) NOT NULL, 
	sequence INTEGER NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	part_sequence INTEGER NOT NULL, 
	based_on INTEGER NOT NULL, 
	change_id VARCHAR(64) NOT NULL, 
	device VARCHAR(64) NOT NULL, 
	who VARCHAR(64) NOT NULL, 
	at DATETIME NOT NULL, 
	action VARCHAR(40) NOT NULL, 
	outcome VARCHAR(16) NOT NULL, 
	undoes INTEGER, 
	value JSON, 
	sent JSON, 
	points JSON, 
	CONSTRAINT pk_changes PRIMARY KEY (game_id, sequence), 
	CONSTRAINT fk_changes_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE, 
	CONSTRAINT uq_changes_game_id_change_id UNIQUE (game_id, change_id), 
	CONSTRAINT uq_changes_game_id_part_part_sequence UNIQUE (game_id, part, part_sequence)
);
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:10.609201','create','applied',NULL,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',2,'rules',1,0,'new:rules','annas-phone','Anna','2026-11-23 02:37:10.653417','create','applied',NULL,'{"size":null,"harmony":true,"middle_kingdom":false,"mighty_duel":false,"age_of_giants":false,"quests":[],"tie_break":"shared","bleak_king":"territory","dynasty":false}',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',3,'board:1:0',1,0,'a1','annas-phone','Anna','2026-11-23 02:37:10.720902','photo','applied',NULL,'{"kingdom":"w w1 ./c l1 l","origin":[0,0],"doubtful":[[0,0]],"corrected":[[1,1]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}',NULL,'{"0":4,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',4,'board:1:0',2,1,'a2','annas-phone','Anna','2026-11-23 02:37:10.732440','set','applied',NULL,'{"kingdom":"f w1 ./c l1 l","origin":[0,0],"doubtful":[],"corrected":[[0,0]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}',NULL,'{"0":3,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',5,'board:1:0',3,1,'b1','bens-phone','Ben','2026-11-23 02:37:10.751467','set','collided',NULL,'{"kingdom":"f w1 ./c l1 l","origin":[0,0],"doubtful":[],"corrected":[[0,0]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}','{"kingdom":"l w1 ./c l1 l","origin":[0,0],"doubtful":[],"corrected":[[0,0]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}','{"0":3,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',6,'board:1:0',4,1,'b2','bens-phone','Ben','2026-11-23 02:37:10.781486','set','merged',NULL,'{"kingdom":"f w1 ./c l1 g","origin":[0,0],"doubtful":[],"corrected":[[0,0],[1,2]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}','{"kingdom":"w w1 ./c l1 g","origin":[0,0],"doubtful":[],"corrected":[[1,2]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}','{"0":2,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',7,'board:1:1',1,0,'b3','bens-phone','Ben','2026-11-23 02:37:10.801789','set','applied',NULL,'{"kingdom":"w1 w1 ./c f1 f/. . f","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":2,"1":7}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',8,'board:1:1',2,1,'u1','bens-phone','Ben','2026-11-23 02:37:10.831251','undo','applied',7,NULL,NULL,'{"0":2,"1":null}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',9,'board:1:1',3,1,'u2','bens-phone','Ben','2026-11-23 02:37:10.852760','redo','applied',7,'{"kingdom":"w1 w1 ./c f1 f/. . f","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":2,"1":7}');
INSERT INTO "changes" VALUES('sItRrQOdlGmtS5TcjAmGoQ',10,'about',1,0,'t','annas-phone','Anna','2026-11-23 02:37:10.877787','set','applied',NULL,'{"title":"Sunday","place":"Ulm","played_at":"2026-03-01T20:30:00+01:00"}',NULL,'{"0":2,"1":7}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:10.931931','create','applied',NULL,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',2,'rules',1,0,'new:rules','annas-phone','Anna','2026-11-23 02:37:10.947780','create','applied',NULL,'{"size":null,"harmony":false,"middle_kingdom":true,"mighty_duel":false,"age_of_giants":false,"quests":[],"tie_break":"shared","bleak_king":"territory","dynasty":true}',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',3,'board:1:0',1,0,'d1a','annas-phone','Anna','2026-11-23 02:37:10.974577','set','applied',NULL,'{"kingdom":"w w1/c f","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":2,"1":null}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',4,'board:1:1',1,0,'d1b','bens-phone','Ben','2026-11-23 02:37:10.989642','set','applied',NULL,'{"kingdom":"f1 f/c l","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":2,"1":2}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',5,'board:2:0',1,0,'d2a','annas-phone','Anna','2026-11-23 02:37:11.009043','set','applied',NULL,'{"kingdom":"w1 w/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":4,"1":2}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',6,'board:2:1',1,0,'d2b','bens-phone','Ben','2026-11-23 02:37:11.028867','set','applied',NULL,'{"kingdom":"l1 l/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":4,"1":4}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',7,'board:3:0',1,0,'d3a','annas-phone','Anna','2026-11-23 02:37:11.056945','set','applied',NULL,'{"kingdom":"s1 s/c w","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":6,"1":4}');
INSERT INTO "changes" VALUES('oXTLgpQU5VH83wHQmetmyw',8,'board:3:1',1,0,'d3b','bens-phone','Ben','2026-11-23 02:37:11.088707','set','applied',NULL,'{"kingdom":"m2 m/c w","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":6,"1":8}');
INSERT INTO "changes" VALUES('q3uMrn2DdK82Sm_WiAwNAA',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:11.119364','create','applied',NULL,'[{"id":0,"name":"Anna","colour":"pink"}]',NULL,'{"0":null}');
INSERT INTO "changes" VALUES('q3uMrn2DdK82Sm_WiAwNAA',2,'board:1:0',1,0,'new:board:1:0','annas-phone','Anna','2026-11-23 02:37:11.133525','create','applied',NULL,'{"kingdom":"w1 w/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}',NULL,'{"0":2}');
INSERT INTO "changes" VALUES('rirl5GkFrdor3uWTLS_9Rg',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:11.175437','create','applied',NULL,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('rirl5GkFrdor3uWTLS_9Rg',2,'game',1,0,'CKHUHquXNNKyKQzMxRHK5Q','annas-phone','Anna','2026-11-23 02:37:11.213583','delete','applied',NULL,'{"deleted":true}',NULL,NULL);
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:11.240712','create','applied',NULL,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null},{"id":2,"name":"Çiğdem","colour":null}]',NULL,'{"0":null,"1":null,"2":null}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',2,'rules',1,0,'new:rules','annas-phone','Anna','2026-11-23 02:37:11.260632','create','applied',NULL,'{"set":9,"rounds":2,"first":1}',NULL,'{"0":null,"1":null,"2":null}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',3,'round:1',1,0,'68XA6pk49HpVEdQ8jj2nVw','annas-phone','Anna','2026-11-23 02:37:11.297229','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""}}}',NULL,'{"0":0,"1":null,"2":null}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',4,'round:1',2,1,'KWpgX2Zphb3MUJHNw4fDpg','annas-phone','Anna','2026-11-23 02:37:11.320583','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"}}}',NULL,'{"0":0,"1":15,"2":null}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',5,'round:1',3,2,'Oul3u5-q8ViFDcqYF6nEag','annas-phone','Anna','2026-11-23 02:37:11.360996','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}',NULL,'{"0":0,"1":15,"2":17}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',6,'round:2',1,0,'fQX2CEB0YkkniLaLWuzcFw','annas-phone','Anna','2026-11-23 02:37:11.392323','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""}}}',NULL,'{"0":0,"1":15,"2":17}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',7,'round:2',2,1,'NPArIj69WnBjyfH2d-tySA','annas-phone','Anna','2026-11-23 02:37:11.421194','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"}}}',NULL,'{"0":0,"1":30,"2":17}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',8,'round:2',3,2,'YxGVlgWiuqH1AFlj1YqHsg','annas-phone','Anna','2026-11-23 02:37:11.449689','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}',NULL,'{"0":0,"1":30,"2":34}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',9,'round:1',4,3,'CTNF6zhTsjEcPYoC39uJDA','annas-phone','Anna','2026-11-23 02:37:11.489011','penalty','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}',NULL,'{"0":0,"1":30,"2":84}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',10,'round:2',4,3,'8Ja4AxdwbbSFguU2zvlZNA','annas-phone','Anna','2026-11-23 02:37:12.896554','photo','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":"8|9 0|0","reading":"XWUpF2dX5R9REwMAi9kE_g","places":[0,1],"incomplete":true,"doubtful":[0,1]},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}',NULL,'{"0":67,"1":30,"2":84}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',11,'round:1',5,4,'iHt7hZ58Xe9ssIAiV013NQ','annas-phone','Anna','2026-11-23 02:37:13.091989','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"counted":17,"double_blank":true},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}',NULL,'{"0":67,"1":82,"2":84}');
INSERT INTO "changes" VALUES('jal1CpOm3x4IndFgo7BkOw',12,'round:1',6,5,'I_sIT2WfLDJAJXVCERkWVg','annas-phone','Anna','2026-11-23 02:37:13.123240','undo','applied',11,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}',NULL,'{"0":67,"1":30,"2":84}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:13.166303','create','applied',NULL,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null},{"id":2,"name":"Çiğdem","colour":null}]',NULL,'{"0":null,"1":null,"2":null}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',2,'rules',1,0,'new:rules','annas-phone','Anna','2026-11-23 02:37:13.175449','create','applied',NULL,'{"set":9,"rounds":2,"first":1}',NULL,'{"0":null,"1":null,"2":null}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',3,'round:1',1,0,'VIe-dIzb8DC7xhx8hbaZWg','annas-phone','Anna','2026-11-23 02:37:13.220844','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""}}}',NULL,'{"0":0,"1":null,"2":null}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',4,'round:1',2,1,'L3clRpKkLU1XbNNl4x3TAA','annas-phone','Anna','2026-11-23 02:37:13.246862','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"}}}',NULL,'{"0":0,"1":15,"2":null}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',5,'round:1',3,2,'uOL-4wvAnLLDQloK1qNLrA','annas-phone','Anna','2026-11-23 02:37:13.269778','hand','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}',NULL,'{"0":0,"1":15,"2":17}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',6,'round:2',1,0,'2q7ck6e8w0pP0AOvj3ZwuQ','annas-phone','Anna','2026-11-23 02:37:13.292151','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""}}}',NULL,'{"0":0,"1":15,"2":17}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',7,'round:2',2,1,'tBzgPeB4ykT366gnLemmGA','annas-phone','Anna','2026-11-23 02:37:13.328669','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"}}}',NULL,'{"0":0,"1":30,"2":17}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',8,'round:2',3,2,'N9N50fT9kYjRp-kzx_A_sw','annas-phone','Anna','2026-11-23 02:37:13.366791','hand','applied',NULL,'{"double":"8|8","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}',NULL,'{"0":0,"1":30,"2":34}');
INSERT INTO "changes" VALUES('xdORvP9n5xpPU0Z1nLp3TA',9,'round:1',4,3,'tQ0EBWxRUK0_VA_NbRdzzA','annas-phone','Anna','2026-11-23 02:37:13.532364','penalty','applied',NULL,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}',NULL,'{"0":0,"1":30,"2":84}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',1,'players',1,0,'new:players','bens-phone','Ben','2026-11-23 02:37:13.562896','create','applied',NULL,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null}]',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',2,'rules',1,0,'new:rules','bens-phone','Ben','2026-11-23 02:37:13.580193','create','applied',NULL,'{"target":60,"rounding":"nearest","rounded":"sum","spinner_counts":true,"singles":false,"first":0}',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',3,'round:1',1,0,'DJdxJdZ1c4I6jjLeMUXVEA','bens-phone','Ben','2026-11-23 02:37:13.631202','play','applied',NULL,'{"plays":[{"id":"play-1","player":0,"points":20}],"hands":{}}',NULL,'{"0":20,"1":0}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',4,'round:1',2,1,'qSf7JC22X2nNR8QAnVE3IA','bens-phone','Ben','2026-11-23 02:37:13.659963','play','applied',NULL,'{"plays":[{"id":"play-1","player":0,"points":20},{"id":"play-2","player":1,"points":15,"caller":0}],"hands":{}}',NULL,'{"0":35,"1":0}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',5,'round:1',3,2,'dlqGQvAJj0CNPthS869v-g','bens-phone','Ben','2026-11-23 02:37:13.673813','hand','applied',NULL,'{"plays":[{"id":"play-1","player":0,"points":20},{"id":"play-2","player":1,"points":15,"caller":0}],"hands":{"0":{"tiles":""}}}',NULL,'{"0":35,"1":0}');
INSERT INTO "changes" VALUES('rFSErgBOlbXBCA6YTKm3Cg',6,'round:1',4,3,'W9csUiKwofZHeUdW2RHnhw','bens-phone','Ben','2026-11-23 02:37:13.689570','hand','applied',NULL,'{"plays":[{"id":"play-1","player":0,"points":20},{"id":"play-2","player":1,"points":15,"caller":0}],"hands":{"0":{"tiles":""},"1":{"tiles":"1|6"}}}',NULL,'{"0":40,"1":0}');
INSERT INTO "changes" VALUES('G1g4LUmsE3tNEBOjdYsBRg',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:13.704704','create','applied',NULL,'[{"id":0,"name":"Anna","colour":null}]',NULL,'{"0":null}');
INSERT INTO "changes" VALUES('G1g4LUmsE3tNEBOjdYsBRg',2,'rules',1,0,'new:rules','annas-phone','Anna','2026-11-23 02:37:13.713275','create','applied',NULL,'{"set":6,"challenge":"pips"}',NULL,'{"0":null}');
INSERT INTO "changes" VALUES('G1g4LUmsE3tNEBOjdYsBRg',3,'round:1',1,0,'3KzdOLyLHubXthOzhQ1Uhw','annas-phone','Anna','2026-11-23 02:37:13.733661','clock','applied',NULL,'{"hand":null,"seconds":12.5,"running_since":null}',NULL,'{"0":null}');
INSERT INTO "changes" VALUES('G1g4LUmsE3tNEBOjdYsBRg',4,'round:1',2,1,'IFTDFMdSZPXHLSs8ofBacQ','annas-phone','Anna','2026-11-23 02:37:13.751743','hand','applied',NULL,'{"hand":{"tiles":"1|2"},"seconds":12.5,"running_since":null}',NULL,'{"0":3}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',1,'players',1,0,'new:players','annas-phone','Anna','2026-11-23 02:37:13.761104','create','applied',NULL,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null}]',NULL,'{"0":null,"1":null}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',2,'setup',1,0,'bQrHGKmCf9SEXYQcjmRN1w','annas-phone','Anna','2026-11-23 02:37:13.786058','rules','applied',NULL,'{"start":{"f6":"rtl","f7":"ycl","g5":"gml","g6":"bsw"},"begins":1,"end":"stones","jokers":false,"helper":true,"board":null}',NULL,'{"0":0,"1":0}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',3,'turns',1,0,'aDw7XrFo9gIZvlvplNZBRg','annas-phone','Anna','2026-11-23 02:37:13.819225','turn','applied',NULL,'["1: g7=yck"]',NULL,'{"0":0,"1":2}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',4,'turns',2,1,'TrQz6bnyTZEqh92WkIkfgQ','annas-phone','Anna','2026-11-23 02:37:13.832377','turn','applied',NULL,'["1: g7=yck","0: g4=rtg"]',NULL,'{"0":3,"1":2}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',5,'turns',3,2,'iv52fvjrpuKfWbdDUDZEaQ','annas-phone','Anna','2026-11-23 02:37:13.858477','turn','applied',NULL,'["1: g7=yck","0: g4=rtg","1: f5=bml"]',NULL,'{"0":3,"1":5}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',6,'turns',4,3,'u_aLFmey9adHM9Md0d9wEw','annas-phone','Anna','2026-11-23 02:37:13.881053','turn','applied',NULL,'["1: g7=yck","0: g4=rtg","1: f5=bml","0: f4=gsl"]',NULL,'{"0":9,"1":5}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',7,'hand:0',1,0,'QkgQzqKfnp-_XzPdXYUOjw','annas-phone','Anna','2026-11-23 02:37:13.918838','hand','applied',NULL,'{"pieces":["ycw"],"after":4}',NULL,'{"0":9,"1":5}');
INSERT INTO "changes" VALUES('G7B-oT7FXlEmrpQ01L3aLA',8,'turns',5,4,'BCiRVRazXbyaz3pbqnHwcg','annas-phone','Anna','2026-11-23 02:37:13.949605','undo','applied',NULL,'["1: g7=yck","0: g4=rtg","1: f5=bml"]',NULL,'{"0":3,"1":5}');
CREATE TABLE collisions (
	game_id VARCHAR(64) NOT NULL, 
	sequence INTEGER NOT NULL, 
	leaf VARCHAR(80) NOT NULL, 
	part VARCHAR(40) NOT NULL, 
	kept JSON, 
	other JSON, 
	settled_by INTEGER, 
	CONSTRAINT pk_collisions PRIMARY KEY (game_id, sequence, leaf), 
	CONSTRAINT fk_collisions_game_id_sequence FOREIGN KEY(game_id, sequence) REFERENCES changes (game_id, sequence) ON DELETE CASCADE
);
INSERT INTO "collisions" VALUES('sItRrQOdlGmtS5TcjAmGoQ',5,'0,0','board:1:0','"f"','"l"',NULL);
CREATE TABLE devices (
	game_id VARCHAR(64) NOT NULL, 
	device VARCHAR(64) NOT NULL, 
	joined_at DATETIME NOT NULL, 
	CONSTRAINT pk_devices PRIMARY KEY (game_id, device), 
	CONSTRAINT fk_devices_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "devices" VALUES('sItRrQOdlGmtS5TcjAmGoQ','annas-phone','2026-11-23 02:37:10.572766');
INSERT INTO "devices" VALUES('oXTLgpQU5VH83wHQmetmyw','annas-phone','2026-11-23 02:37:10.923748');
INSERT INTO "devices" VALUES('q3uMrn2DdK82Sm_WiAwNAA','annas-phone','2026-11-23 02:37:11.110541');
INSERT INTO "devices" VALUES('rirl5GkFrdor3uWTLS_9Rg','annas-phone','2026-11-23 02:37:11.161497');
INSERT INTO "devices" VALUES('jal1CpOm3x4IndFgo7BkOw','annas-phone','2026-11-23 02:37:11.231987');
INSERT INTO "devices" VALUES('jal1CpOm3x4IndFgo7BkOw','bens-phone','2026-11-23 02:37:13.151231');
INSERT INTO "devices" VALUES('xdORvP9n5xpPU0Z1nLp3TA','annas-phone','2026-11-23 02:37:13.162283');
INSERT INTO "devices" VALUES('xdORvP9n5xpPU0Z1nLp3TA','bens-phone','2026-11-23 02:37:13.547585');
INSERT INTO "devices" VALUES('rFSErgBOlbXBCA6YTKm3Cg','bens-phone','2026-11-23 02:37:13.554280');
INSERT INTO "devices" VALUES('G1g4LUmsE3tNEBOjdYsBRg','annas-phone','2026-11-23 02:37:13.702398');
INSERT INTO "devices" VALUES('G7B-oT7FXlEmrpQ01L3aLA','annas-phone','2026-11-23 02:37:13.758256');
INSERT INTO "devices" VALUES('G7B-oT7FXlEmrpQ01L3aLA','bens-phone','2026-11-23 02:37:14.065095');
CREATE TABLE games (
	id VARCHAR(64) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	kept BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	changed_at DATETIME NOT NULL, 
	played_at DATETIME NOT NULL, 
	deleted_at DATETIME, 
	sequence INTEGER NOT NULL, 
	complete BOOLEAN NOT NULL, 
	search_text TEXT NOT NULL, 
	CONSTRAINT pk_games PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('sItRrQOdlGmtS5TcjAmGoQ','kingdomino',0,'2026-11-23 02:37:10.572766','2026-11-23 02:37:10.877787','2026-03-01 19:30:00.000000',NULL,10,1,'sunday ulm  anna ben');
INSERT INTO "games" VALUES('oXTLgpQU5VH83wHQmetmyw','kingdomino',0,'2026-11-23 02:37:10.923748','2026-11-23 02:37:11.088707','2026-11-23 02:37:10.923748',NULL,8,1,'   anna ben');
INSERT INTO "games" VALUES('q3uMrn2DdK82Sm_WiAwNAA','kingdomino',1,'2026-11-23 02:37:11.110541','2026-11-23 02:37:11.133525','2026-11-23 02:37:11.110541',NULL,2,0,'   anna');
INSERT INTO "games" VALUES('rirl5GkFrdor3uWTLS_9Rg','kingdomino',0,'2026-11-23 02:37:11.161497','2026-11-23 02:37:11.213583','2026-11-23 02:37:11.161497','2026-11-23 02:37:11.205662',2,0,'   anna ben');
INSERT INTO "games" VALUES('jal1CpOm3x4IndFgo7BkOw','mexican_train',0,'2026-11-23 02:37:11.231987','2026-11-23 02:37:13.123240','2026-11-23 02:37:11.231987',NULL,12,0,'   anna ben çiğdem');
INSERT INTO "games" VALUES('xdORvP9n5xpPU0Z1nLp3TA','chickenfoot',0,'2026-11-23 02:37:13.162283','2026-11-23 02:37:13.532364','2026-11-23 02:37:13.162283',NULL,9,1,'   anna ben çiğdem');
INSERT INTO "games" VALUES('rFSErgBOlbXBCA6YTKm3Cg','muggins',0,'2026-11-23 02:37:13.554280','2026-11-23 02:37:13.689570','2026-11-23 02:37:13.554280',NULL,6,0,'   anna ben');
INSERT INTO "games" VALUES('G1g4LUmsE3tNEBOjdYsBRg','castle_rock',0,'2026-11-23 02:37:13.702398','2026-11-23 02:37:13.751743','2026-11-23 02:37:13.702398',NULL,4,1,'   anna');
INSERT INTO "games" VALUES('G7B-oT7FXlEmrpQ01L3aLA','domino_duell',0,'2026-11-23 02:37:13.758256','2026-11-23 02:37:13.949605','2026-11-23 02:37:13.758256',NULL,8,0,'   anna ben');
CREATE TABLE names (
	device VARCHAR(64) NOT NULL, 
	name_key VARCHAR(200) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	used_at DATETIME NOT NULL, 
	CONSTRAINT pk_names PRIMARY KEY (device, name_key)
);
INSERT INTO "names" VALUES('annas-phone','anna','Anna','2026-11-23 02:37:13.768473');
INSERT INTO "names" VALUES('annas-phone','ben','Ben','2026-11-23 02:37:13.768473');
INSERT INTO "names" VALUES('annas-phone','çiğdem','Çiğdem','2026-11-23 02:37:13.170799');
INSERT INTO "names" VALUES('bens-phone','anna','Anna','2026-11-23 02:37:13.573046');
INSERT INTO "names" VALUES('bens-phone','ben','Ben','2026-11-23 02:37:13.573046');
CREATE TABLE parts (
	game_id VARCHAR(64) NOT NULL, 
	"key" VARCHAR(40) NOT NULL, 
	sequence INTEGER NOT NULL, 
	value JSON, 
	CONSTRAINT pk_parts PRIMARY KEY (game_id, "key"), 
	CONSTRAINT fk_parts_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "parts" VALUES('sItRrQOdlGmtS5TcjAmGoQ','players',1,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]');
INSERT INTO "parts" VALUES('sItRrQOdlGmtS5TcjAmGoQ','rules',1,'{"size":null,"harmony":true,"middle_kingdom":false,"mighty_duel":false,"age_of_giants":false,"quests":[],"tie_break":"shared","bleak_king":"territory","dynasty":false}');
INSERT INTO "parts" VALUES('sItRrQOdlGmtS5TcjAmGoQ','board:1:0',4,'{"kingdom":"f w1 ./c l1 g","origin":[0,0],"doubtful":[],"corrected":[[0,0],[1,2]],"frame":"","reading":"8vilg9o6s15SXcpuBUUVFg"}');
INSERT INTO "parts" VALUES('sItRrQOdlGmtS5TcjAmGoQ','board:1:1',3,'{"kingdom":"w1 w1 ./c f1 f/. . f","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('sItRrQOdlGmtS5TcjAmGoQ','about',1,'{"title":"Sunday","place":"Ulm","played_at":"2026-03-01T20:30:00+01:00"}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','players',1,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','rules',1,'{"size":null,"harmony":false,"middle_kingdom":true,"mighty_duel":false,"age_of_giants":false,"quests":[],"tie_break":"shared","bleak_king":"territory","dynasty":true}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:1:0',1,'{"kingdom":"w w1/c f","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:1:1',1,'{"kingdom":"f1 f/c l","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:2:0',1,'{"kingdom":"w1 w/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:2:1',1,'{"kingdom":"l1 l/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:3:0',1,'{"kingdom":"s1 s/c w","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('oXTLgpQU5VH83wHQmetmyw','board:3:1',1,'{"kingdom":"m2 m/c w","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('q3uMrn2DdK82Sm_WiAwNAA','players',1,'[{"id":0,"name":"Anna","colour":"pink"}]');
INSERT INTO "parts" VALUES('q3uMrn2DdK82Sm_WiAwNAA','board:1:0',1,'{"kingdom":"w1 w/c g","origin":[0,0],"doubtful":[],"corrected":[],"frame":"","reading":null}');
INSERT INTO "parts" VALUES('rirl5GkFrdor3uWTLS_9Rg','players',1,'[{"id":0,"name":"Anna","colour":"pink"},{"id":1,"name":"Ben","colour":null}]');
INSERT INTO "parts" VALUES('jal1CpOm3x4IndFgo7BkOw','players',1,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null},{"id":2,"name":"Çiğdem","colour":null}]');
INSERT INTO "parts" VALUES('jal1CpOm3x4IndFgo7BkOw','rules',1,'{"set":9,"rounds":2,"first":1}');
INSERT INTO "parts" VALUES('jal1CpOm3x4IndFgo7BkOw','round:1',6,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}');
INSERT INTO "parts" VALUES('jal1CpOm3x4IndFgo7BkOw','round:2',4,'{"double":"8|8","hands":{"0":{"tiles":"8|9 0|0","reading":"XWUpF2dX5R9REwMAi9kE_g","places":[0,1],"incomplete":true,"doubtful":[0,1]},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}');
INSERT INTO "parts" VALUES('xdORvP9n5xpPU0Z1nLp3TA','players',1,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null},{"id":2,"name":"Çiğdem","colour":null}]');
INSERT INTO "parts" VALUES('xdORvP9n5xpPU0Z1nLp3TA','rules',1,'{"set":9,"rounds":2,"first":1}');
INSERT INTO "parts" VALUES('xdORvP9n5xpPU0Z1nLp3TA','round:1',4,'{"double":"9|9","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}},"penalties":{"2":1}}');
INSERT INTO "parts" VALUES('xdORvP9n5xpPU0Z1nLp3TA','round:2',3,'{"double":"8|8","hands":{"0":{"tiles":""},"1":{"tiles":"1|7 1|6"},"2":{"tiles":"2|7 2|6"}}}');
INSERT INTO "parts" VALUES('rFSErgBOlbXBCA6YTKm3Cg','players',1,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null}]');
INSERT INTO "parts" VALUES('rFSErgBOlbXBCA6YTKm3Cg','rules',1,'{"target":60,"rounding":"nearest","rounded":"sum","spinner_counts":true,"singles":false,"first":0}');
INSERT INTO "parts" VALUES('rFSErgBOlbXBCA6YTKm3Cg','round:1',4,'{"plays":[{"id":"play-1","player":0,"points":20},{"id":"play-2","player":1,"points":15,"caller":0}],"hands":{"0":{"tiles":""},"1":{"tiles":"1|6"}}}');
INSERT INTO "parts" VALUES('G1g4LUmsE3tNEBOjdYsBRg','players',1,'[{"id":0,"name":"Anna","colour":null}]');
INSERT INTO "parts" VALUES('G1g4LUmsE3tNEBOjdYsBRg','rules',1,'{"set":6,"challenge":"pips"}');
INSERT INTO "parts" VALUES('G1g4LUmsE3tNEBOjdYsBRg','round:1',2,'{"hand":{"tiles":"1|2"},"seconds":12.5,"running_since":null}');
INSERT INTO "parts" VALUES('G7B-oT7FXlEmrpQ01L3aLA','players',1,'[{"id":0,"name":"Anna","colour":null},{"id":1,"name":"Ben","colour":null}]');
INSERT INTO "parts" VALUES('G7B-oT7FXlEmrpQ01L3aLA','setup',1,'{"start":{"f6":"rtl","f7":"ycl","g5":"gml","g6":"bsw"},"begins":1,"end":"stones","jokers":false,"helper":true,"board":null}');
INSERT INTO "parts" VALUES('G7B-oT7FXlEmrpQ01L3aLA','turns',5,'["1: g7=yck","0: g4=rtg","1: f5=bml"]');
INSERT INTO "parts" VALUES('G7B-oT7FXlEmrpQ01L3aLA','hand:0',1,'{"pieces":["ycw"],"after":4}');
CREATE TABLE photos (
	id VARCHAR(64) NOT NULL, 
	game_id VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	width INTEGER NOT NULL, 
	height INTEGER NOT NULL, 
	jpeg BLOB NOT NULL, 
	CONSTRAINT pk_photos PRIMARY KEY (id), 
	CONSTRAINT fk_photos_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "photos" VALUES('hANASxBMugeWE_c_VdKv4A','sItRrQOdlGmtS5TcjAmGoQ','2026-11-23 02:37:10.692532',80,120,X'FFD8FFE000104A46494600010100000100010000FFDB0043000503040404030504040405050506070C08070707070F0B0B090C110F1212110F111113161C1713141A1511111821181A1D1D1F1F1F13172224221E241C1E1F1EFFDB0043010505050706070E08080E1E1411141E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1EFFC00011080078005003012200021101031101FFC4001F0000010501010101010100000000000000000102030405060708090A0BFFC400B5100002010303020403050504040000017D01020300041105122131410613516107227114328191A1082342B1C11552D1F02433627282090A161718191A25262728292A3435363738393A434445464748494A535455565758595A636465666768696A737475767778797A838485868788898A92939495969798999AA2A3A4A5A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE1E2E3E4E5E6E7E8E9EAF1F2F3F4F5F6F7F8F9FAFFC4001F0100030101010101010101010000000000000102030405060708090A0BFFC400B51100020102040403040705040400010277000102031104052131061241510761711322328108144291A1B1C109233352F0156272D10A162434E125F11718191A262728292A35363738393A434445464748494A535455565758595A636465666768696A737475767778797A82838485868788898A92939495969798999AA2A3A4A5A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE2E3E4E5E6E7E8E9EAF2F3F4F5F6F7F8F9FAFFDA000C03010002110311003F00F2CA28A2BF3A3FB2C28A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028A28A0028AE17FE16247FF0040A6FF00BFFF00FD8D1FF0B123FF00A0537FDFFF00FEC6BD2FEC9C57F2FE28F8BFF8883907FCFF00FF00C965FE47754570BFF0B123FF00A0537FDFFF00FEC68FF85891FF00D029BFEFFF00FF006347F64E2BF97F141FF110720FF9FF00FF0092CBFC8EEA8AE17FE16247FF0040A6FF00BFFF00FD8D1FF0B123FF00A0537FDFFF00FEC68FEC9C57F2FE283FE220E41FF3FF00FF002597F91DD515C2FF00C2C48FFE814DFF007FFF00FB1A3FE16247FF0040A6FF00BFFF00FD8D1FD938AFE5FC507FC441C83FE7FF00FE4B2FF23BAA2B85FF0085891FFD029BFEFF00FF00F6347FC2C48FFE814DFF007FFF00FB1A3FB2715FCBF8A0FF008883907FCFFF00FC965FE479FD14515F667F34051451400514514005145140051451400514514005145140051451400514514005145140051451400514514005145140051451400514514005145140051451400514514005145140051451401FFFD9');
CREATE TABLE readings (
	game_id VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_readings PRIMARY KEY (game_id, id), 
	CONSTRAINT fk_readings_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "readings" VALUES('sItRrQOdlGmtS5TcjAmGoQ','8vilg9o6s15SXcpuBUUVFg','{"reading":{"kingdom":"w w1 ./c l1 l","squares":[[{"label":"w","probability":0.61234,"runner_up":"f","doubtful":true,"settled_from":null,"reason":null},{"label":"w1","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null},{"label":".","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null}],[{"label":"c","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null},{"label":"l1","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null},{"label":"l","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null}]],"homography":[[40.0,0.0,10.0],[0.0,40.0,20.0],[0.0,0.0,1.0]],"castle_colour":"pink","lattice_certain":false,"probabilities":[[[0.006,0.0214,0.0768,0.1207,0.0188,0.0141,0.0238,0.0056,0.0549,0.0036,0.0248,0.1836,0.0146,0.0705,0.0283,0.1116,0.0498,0.0814,0.0159,0.0097,0.0001,0.0639],[0.0387,0.0526,0.0283,0.0249,0.0255,0.0253,0.0018,0.0933,0.0612,0.0028,0.063,0.1324,0.0089,0.0335,0.0055,0.0532,0.092,0.0392,0.0586,0.05,0.0328,0.0766],[0.0125,0.0654,0.1424,0.0063,0.0763,0.0229,0.0166,0.0066,0.1004,0.004,0.047,0.0196,0.0807,0.0371,0.1365,0.0066,0.006,0.0578,0.0141,0.0879,0.0357,0.0176]],[[0.1674,0.004,0.054,0.0397,0.0039,0.0076,0.0064,0.0162,0.0154,0.0171,0.0281,0.0098,0.1205,0.0512,0.0841,0.1007,0.0042,0.0471,0.0476,0.0022,0.1662,0.0065],[0.0347,0.1164,0.0164,0.0207,0.0612,0.0065,0.0283,0.0197,0.0544,0.0415,0.03,0.0375,0.0024,0.0785,0.0226,0.1049,0.0425,0.0923,0.1119,0.0453,0.0168,0.0155],[0.019,0.0052,0.071,0.1426,0.0045,0.1552,0.0388,0.0314,0.0583,0.1395,0.0405,0.016,0.028,0.0411,0.0487,0.0063,0.0103,0.0677,0.0205,0.011,0.0128,0.0317]]],"considered":[[true,true,false],[true,false,true]],"detection_scores":[[0.707,0.088,null],[0.513,0.405,0.665]],"misfit":0.031,"warnings":["cut_off"],"next_best":{"kingdom":"w w1/c l1","squares":[[{"label":"w","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null},{"label":"w1","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null}],[{"label":"c","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null},{"label":"l1","probability":0.98765,"runner_up":null,"doubtful":false,"settled_from":null,"reason":null}]],"homography":[[40.0,0.0,10.0],[0.0,40.0,20.0],[0.0,0.0,1.0]],"castle_colour":null,"lattice_certain":false,"probabilities":null,"considered":null,"detection_scores":null,"misfit":0.0,"warnings":[],"next_best":null}},"photo":"hANASxBMugeWE_c_VdKv4A","width":80,"height":120,"warnings":["dark"]}');
INSERT INTO "readings" VALUES('jal1CpOm3x4IndFgo7BkOw','XWUpF2dX5R9REwMAi9kE_g','{"dominoes":[{"tile":"8|9","corners":[[10.0,20.0],[50.0,20.0],[50.0,100.0],[10.0,100.0]],"doubtful":true,"runner_up":"7|9","reasons":["unlikely"],"likelihoods":[[0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0],[0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.65,1.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0]]},{"tile":"0|0","corners":[[60.0,20.0],[100.0,20.0],[100.0,100.0],[60.0,100.0]],"doubtful":true,"runner_up":"0|1","reasons":["double_blank"],"likelihoods":[[1.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0]]}],"photo":"photo-of-anna","width":640,"height":480,"set":12,"warnings":["cut_off"]}');
CREATE TABLE results (
	game_id VARCHAR(64) NOT NULL, 
	player INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	name_key VARCHAR(200) NOT NULL, 
	points INTEGER, 
	place INTEGER, 
	won BOOLEAN NOT NULL, 
	details JSON NOT NULL, 
	CONSTRAINT pk_results PRIMARY KEY (game_id, player), 
	CONSTRAINT fk_results_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "results" VALUES('sItRrQOdlGmtS5TcjAmGoQ',0,'Anna','anna',2,2,0,'{"wheat":1,"forest":0,"lake":1,"grassland":0,"swamp":0,"mine":0,"bonuses":0,"largest_territory":1,"crowns":2}');
INSERT INTO "results" VALUES('sItRrQOdlGmtS5TcjAmGoQ',1,'Ben','ben',7,1,1,'{"wheat":4,"forest":3,"lake":0,"grassland":0,"swamp":0,"mine":0,"bonuses":0,"largest_territory":3,"crowns":3}');
INSERT INTO "results" VALUES('oXTLgpQU5VH83wHQmetmyw',0,'Anna','anna',6,2,0,'{"wheat":4,"forest":0,"lake":0,"grassland":0,"swamp":2,"mine":0,"bonuses":0,"largest_territory":2,"crowns":3}');
INSERT INTO "results" VALUES('oXTLgpQU5VH83wHQmetmyw',1,'Ben','ben',8,1,1,'{"wheat":0,"forest":2,"lake":2,"grassland":0,"swamp":0,"mine":4,"bonuses":0,"largest_territory":2,"crowns":4}');
INSERT INTO "results" VALUES('q3uMrn2DdK82Sm_WiAwNAA',0,'Anna','anna',2,NULL,0,'{"wheat":2,"forest":0,"lake":0,"grassland":0,"swamp":0,"mine":0,"bonuses":0,"largest_territory":2,"crowns":1}');
INSERT INTO "results" VALUES('rirl5GkFrdor3uWTLS_9Rg',0,'Anna','anna',NULL,NULL,0,'{}');
INSERT INTO "results" VALUES('rirl5GkFrdor3uWTLS_9Rg',1,'Ben','ben',NULL,NULL,0,'{}');
INSERT INTO "results" VALUES('jal1CpOm3x4IndFgo7BkOw',0,'Anna','anna',67,2,0,'{"rounds_out":1,"double_blanks":1,"penalties":0,"worst_round":67}');
INSERT INTO "results" VALUES('jal1CpOm3x4IndFgo7BkOw',1,'Ben','ben',30,1,0,'{"rounds_out":0,"double_blanks":0,"penalties":0,"worst_round":15}');
INSERT INTO "results" VALUES('jal1CpOm3x4IndFgo7BkOw',2,'Çiğdem','çiğdem',84,3,0,'{"rounds_out":0,"double_blanks":0,"penalties":1,"worst_round":67}');
INSERT INTO "results" VALUES('xdORvP9n5xpPU0Z1nLp3TA',0,'Anna','anna',0,1,1,'{"rounds_out":2,"double_blanks":0,"penalties":0,"worst_round":0}');
INSERT INTO "results" VALUES('xdORvP9n5xpPU0Z1nLp3TA',1,'Ben','ben',30,2,0,'{"rounds_out":0,"double_blanks":0,"penalties":0,"worst_round":15}');
INSERT INTO "results" VALUES('xdORvP9n5xpPU0Z1nLp3TA',2,'Çiğdem','çiğdem',84,3,0,'{"rounds_out":0,"double_blanks":0,"penalties":1,"worst_round":67}');
INSERT INTO "results" VALUES('rFSErgBOlbXBCA6YTKm3Cg',0,'Anna','anna',40,1,0,'{"points_by_play":35,"plays_that_scored":2}');
INSERT INTO "results" VALUES('rFSErgBOlbXBCA6YTKm3Cg',1,'Ben','ben',0,2,0,'{"points_by_play":0,"plays_that_scored":0}');
INSERT INTO "results" VALUES('G1g4LUmsE3tNEBOjdYsBRg',0,'Anna','anna',3,1,0,'{"tiles_left":1,"tiles_out":27,"seconds":12}');
INSERT INTO "results" VALUES('G7B-oT7FXlEmrpQ01L3aLA',0,'Anna','anna',3,2,0,'{"moves":1,"best_move":3,"quadruples":1,"edge_moves":0,"jokers_used":0,"exchanges":0}');
INSERT INTO "results" VALUES('G7B-oT7FXlEmrpQ01L3aLA',1,'Ben','ben',5,1,0,'{"moves":2,"best_move":3,"quadruples":0,"edge_moves":0,"jokers_used":0,"exchanges":0}');
CREATE TABLE squares (
	id VARCHAR(64) NOT NULL, 
	game_id VARCHAR(64) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	label VARCHAR(32) NOT NULL, 
	source_photo VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	png BLOB NOT NULL, 
	CONSTRAINT pk_squares PRIMARY KEY (id), 
	CONSTRAINT fk_squares_game_id FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "squares" VALUES('483208178c61b988','sItRrQOdlGmtS5TcjAmGoQ','kingdomino','w','6912cf434bd02341','2026-11-23 02:37:10.902855',X'89504E470D0A1A0A0000000D4948445200000040000000400802000000250BE6890000006149444154789CEDCF410D002010C03040E6F91782081E0DC9AA60DB33B37E7674C0AB06B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B406B40B2555018E25754EBE0000000049454E44AE426082');
CREATE INDEX ix_games_kind ON games (kind);
CREATE INDEX ix_games_played_at ON games (played_at);
CREATE INDEX ix_devices_device ON devices (device);
CREATE INDEX ix_photos_game_id ON photos (game_id);
CREATE INDEX ix_results_name_key ON results (name_key);
CREATE INDEX ix_squares_game_id ON squares (game_id);
COMMIT;
